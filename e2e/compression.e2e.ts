import { type IncomingHttpHeaders, request } from "node:http";
import { constants, gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";

/** `pieces` are the parts in which the server wrote the body. */
type Got = { status: number; headers: IncomingHttpHeaders; body: Buffer; pieces: Buffer[] };

test("pages, scripts and styles are compressed for clients that accept it", async ({ product, signedIn: page }) => {
  const cookie = await cookieOf(page);
  const ask = (path: string, encoding: string, method = "GET") =>
    answerOf(product.url + path, method, { cookie, "accept-encoding": encoding });
  const html = (await ask("/runs", "identity")).body.toString();
  const [script = ""] = /\/_next\/static\/[^"]+\.js/.exec(html) ?? [];
  const [style = ""] = /\/_next\/static\/[^"]+\.css/.exec(html) ?? [];
  for (const path of ["/runs", script, style]) {
    const plain = await ask(path, "identity");
    expect(plain.headers["content-encoding"], path).toBeUndefined();
    const packed = await ask(path, "gzip, deflate, br, zstd");
    expect(packed.status).toBe(200);
    expect(packed.headers["content-encoding"], path).toBe("gzip");
    expect(packed.headers["content-length"], path).toBeUndefined();
    expect(packed.headers.vary?.toLowerCase(), path).toContain("accept-encoding");
    expect(packed.body.length, path).toBeLessThan(plain.body.length / 2);
    // A page has another nonce each time.
    const text = gunzipSync(packed.body).toString();
    if (path === "/runs") {
      expect(text).toMatch(/<\/html>$/);
      // What has been written of a page can be read before the page has ended. On a busy machine all of it may be written at its end.
      await expect(async () => {
        const { pieces } = await ask(path, "gzip");
        const early = gunzipSync(Buffer.concat(pieces.slice(0, -1)), { finishFlush: constants.Z_SYNC_FLUSH });
        expect(early.length).toBeGreaterThan(text.length / 2);
      }).toPass({ timeout: 20_000 });
    } else expect(text).toBe(plain.body.toString());
    const head = await ask(path, "gzip", "HEAD");
    expect([head.status, head.body.length], path).toEqual([200, 0]);
  }
  // The front compresses these itself, once.
  const api = await ask("/v1/openapi.json", "gzip");
  expect(api.headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(api.body).toString())).toHaveProperty("openapi");
});

async function cookieOf(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** The response as it was sent: fetch and the browser would decompress it. */
function answerOf(url: string, method: string, headers: Record<string, string>): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces), pieces });
    });
    sent.on("error", reject).end();
  });
}

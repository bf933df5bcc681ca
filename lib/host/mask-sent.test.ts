import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const secret = "SUPERSECRETtoken123456";
const O = "/v1/organizations/1/integrations";

/** A service that repeats in its error the credentials it was sent, also where the text is cut. */
async function openParrot() {
  const server = createServer((request, response) => {
    const { authorization = "", "x-secret": extra = "" } = request.headers;
    const said = `no: ${authorization} ${extra} ${Buffer.from(secret).toString("base64")} ${"x".repeat(70)} ${secret}`;
    const words = `${said}${"y".repeat(Math.max(0, 190 - said.length))}${secret}`;
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const isMcp = request.url === "/mcp";
      const json = { message: words, jsonrpc: "2.0", id: 1, error: { code: 1, message: words } };
      const isGraph = request.url === "/graphql" && body !== "";
      response.writeHead(isMcp || isGraph ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(isGraph ? { errors: [{ message: words }] } : json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test("a credential that the other side repeats in its error is masked where it is shown and stored", async (t) => {
  const [api, parrot] = await Promise.all([ApiUnderTest.open(), openParrot()]);
  t.after(async () => {
    await parrot.close();
    await api.close();
  });
  const token = await api.token("admin");
  const connected = { base_url: parrot.url, token: secret };
  const server = { name: "s1", url: `${parrot.url}/mcp` };
  for (const [type, body] of [
    ["github", connected],
    ["gitlab", connected],
    ["forgejo", connected],
    ["slack", connected],
    ["linear", connected],
    ["mcp", { servers: [{ ...server, headers: { "X-Secret": secret } }] }],
    ["mcp", { servers: [{ ...server, headers: { Authorization: `Basic ${btoa(`me:${secret}`)}` } }] }],
  ] as const) {
    const { status, text } = await api.ask("PUT", `${O}/${type}`, { token, body });
    assert.equal(status, 200, text);
    assert.match(text, /no: .*\[secret masked\]/, type);
    const { text: listed } = await api.ask("GET", O, { token: await api.token("viewer") });
    for (const shown of [text, listed]) {
      for (const form of [secret, secret.slice(0, 12), btoa(secret), btoa(`me:${secret}`)]) {
        assert.ok(!shown.includes(form), `${type}: ${form} in ${shown}`);
      }
    }
  }
});

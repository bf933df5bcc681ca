import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseCrossSite, requireSameOrigin } from "./same-origin.ts";

const request = (method: string, headers: Record<string, string>) => ({
  method,
  header: (name: string) => headers[name] ?? null,
});
const publicUrl = "https://errand.example.com";
const host = "127.0.0.1:3000";

const accepted: [string, Record<string, string>][] = [
  ["GET", {}],
  ["HEAD", { "sec-fetch-site": "cross-site" }],
  ["POST", { "sec-fetch-site": "same-origin" }],
  ["POST", { "sec-fetch-site": "none" }],
  ["POST", { origin: "http://127.0.0.1:3000", host }],
  ["DELETE", { origin: publicUrl, host: "internal" }],
];
const refused: [string, Record<string, string>][] = [
  ["POST", {}],
  ["POST", { host }],
  ["POST", { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:3000", host }],
  ["POST", { "sec-fetch-site": "same-site" }],
  ["POST", { origin: "http://evil.example", host }],
  ["POST", { origin: "http://127.0.0.1:4000", host }],
  ["POST", { origin: "null", host }],
];

test("an unsafe method by cookie passes only from the dashboard's own origin", () => {
  for (const [method, headers] of accepted) {
    assert.doesNotThrow(() => requireSameOrigin(request(method, headers), publicUrl), JSON.stringify(headers));
  }
  for (const [method, headers] of refused) {
    assert.throws(
      () => requireSameOrigin(request(method, headers), publicUrl),
      { code: "forbidden" },
      JSON.stringify(headers),
    );
  }
});

test("without credentials only requests that a browser marks as cross-site are refused", () => {
  assert.doesNotThrow(() => refuseCrossSite(request("POST", { host }), publicUrl));
  assert.throws(() => refuseCrossSite(request("POST", { origin: "http://evil.example", host }), publicUrl), {
    code: "forbidden",
  });
});

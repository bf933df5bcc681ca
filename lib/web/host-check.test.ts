import assert from "node:assert/strict";
import { test } from "node:test";
import { hostRule } from "./host-check.ts";

test("this machine, the public address and the extra names are served, nothing else", () => {
  const allows = hostRule({ host: "127.0.0.1", publicUrl: "https://errand.example.com", allowedHosts: ["Box.local"] });
  for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "ERRAND.example.com", "box.local:80"]) {
    assert.ok(allows(host), host);
  }
  for (const host of [undefined, "", "evil.example", "localhost.evil.example", "10.0.0.1", "errand.example.com.evil"]) {
    assert.ok(!allows(host), String(host));
  }
});

test("a service that listens on every address serves plain addresses, never foreign names", () => {
  const allows = hostRule({ host: "0.0.0.0", publicUrl: null, allowedHosts: [] });
  for (const host of ["10.0.0.1:3000", "[fe80::1]:3000", "localhost"]) assert.ok(allows(host), host);
  assert.ok(!allows("evil.example"));
});

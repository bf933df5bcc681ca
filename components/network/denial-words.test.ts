import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleFor } from "./denial-words.ts";

test("a refused host is allowed at its port only; if no rule can allow it, there is none", () => {
  const of = (host: string, rule: Parameters<typeof ruleFor>[0]["rule"] = "host_not_allowed") =>
    ruleFor({ host, rule });
  assert.deepEqual(of("a.test:443"), { host: "a.test", port: 443 });
  assert.deepEqual(of("a.test:22", "port_not_allowed"), { host: "a.test", port: 22 });
  assert.deepEqual(of("[2606:4700::1]:443"), { host: "2606:4700::1", port: 443 });
  for (const rule of ["network_off", "private_address", "metadata_address", "key_unknown"] as const) {
    assert.equal(of("a.test:443", rule), null);
  }
  assert.equal(of("nothing"), null);
});

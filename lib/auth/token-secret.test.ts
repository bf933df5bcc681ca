import assert from "node:assert/strict";
import { test } from "node:test";
import { hashSecret } from "./secret.ts";
import { isTokenSecret, mintToken } from "./token-secret.ts";

test("a minted token has the documented form and a correct checksum, and is stored as SHA-256", () => {
  const { secret, hash, hint } = mintToken();
  assert.match(secret, /^errand_[0-9A-Za-z]{36}$/);
  assert.ok(isTokenSecret(secret));
  assert.equal(hint, secret.slice(-4));
  assert.deepEqual(hash, hashSecret(secret));
  assert.equal(hash.length, 32);
});

test("a token with one character changed, cut or added is refused before any look-up", () => {
  const { secret } = mintToken();
  for (const index of [7, 20, 36, 42]) {
    const other = secret[index] === "a" ? "b" : "a";
    assert.ok(!isTokenSecret(secret.slice(0, index) + other + secret.slice(index + 1)), `character ${index}`);
  }
  for (const wrong of ["", "errand_", secret.slice(0, -1), `${secret}a`, secret.toUpperCase(), ` ${secret}`]) {
    assert.ok(!isTokenSecret(wrong));
  }
});

test("a thousand tokens are a thousand different ones", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, () => mintToken().secret)).size, 1000);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOrdinary, isWord, ordinaryWarning } from "./ordinary-word.ts";
import { secretSamples } from "./secret-samples.fixture.ts";

test("words, names and short numbers are words; random letters and digits are not", () => {
  for (const word of ["oauth2", "x509", "getUserName", "sha256sum", "PRIVATE", "123456", ""])
    assert.ok(isWord(word), word);
  for (const random of ["wJalrXUtnFEMI", "K7MDENG", "f81d4fae", "9fK2mQ7x"]) assert.ok(!isWord(random), random);
});

test("a value that would star ordinary text is warned of, a key is not", () => {
  for (const value of ["password", "workspace", "Workspace2024", "my-app-2", "12345678", "!!!!!!!!", "production"]) {
    assert.ok(isOrdinary(value), value);
    assert.match(ordinaryWarning(value) ?? "", /masked wherever it occurs/);
  }
  for (const value of ["correct-horse-battery", "tracker-login-4711", "x7Kp2mQ9", "p@ss/w0rd"]) {
    assert.equal(ordinaryWarning(value), null, value);
  }
  for (const { value } of Object.values(secretSamples)) assert.equal(ordinaryWarning(value), null);
});

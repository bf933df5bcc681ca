import assert from "node:assert/strict";
import { test } from "node:test";
import { errorSentence } from "./error-sentence.ts";

test("a requirement becomes a sentence with the field as its subject", () => {
  assert.equal(errorSentence("Prompt", "must not be empty"), "Prompt must not be empty");
  assert.equal(errorSentence("Name", "has a control character"), "Name has a control character");
  assert.equal(errorSentence("Name", "must not be empty; must be text"), "Name must not be empty and must be text");
  assert.equal(errorSentence("URL", "leads to a private network"), "URL leads to a private network");
});

test("a sentence with a subject of its own is left unchanged", () => {
  for (const error of ["No such repository", "Email and password do not match", "0: must be text", ""]) {
    assert.equal(errorSentence("Repository", error), error);
  }
});

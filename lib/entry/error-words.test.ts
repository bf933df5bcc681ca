import assert from "node:assert/strict";
import { test } from "node:test";
import { errorWordsOf } from "./error-words.ts";

test("an error says its message, whatever its shape", () => {
  assert.deepEqual(errorWordsOf({ code: "agent_exit", message: "It died.", data: { code: 1 } }), {
    code: "agent_exit",
    message: "It died.",
    details: { code: 1 },
  });
  assert.deepEqual(errorWordsOf({ code: -32603, message: "Internal", stack: "x" }), {
    code: "-32603",
    message: "Internal",
    details: { stack: "x" },
  });
  assert.equal(errorWordsOf("boom").message, "boom");
  assert.deepEqual(errorWordsOf({ odd: 1 }).details, { odd: 1 });
  assert.notEqual(errorWordsOf(null).message, "");
});

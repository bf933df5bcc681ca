import assert from "node:assert/strict";
import { test } from "node:test";
import { observationOf, thoughtWithoutMessage, turnOriginOf } from "./observation.ts";

test("an observation gives its words and links first, the rest as JSON", () => {
  assert.deepEqual(observationOf("plain"), { title: null, text: "plain", links: [], rest: null });
  assert.deepEqual(
    observationOf({ title: "Fix", url: "https://a.example/pull/1", number: 1, body: "Why", head: null }),
    {
      title: "Fix",
      text: "Why",
      links: [{ label: "a.example/pull/1", href: "https://a.example/pull/1" }],
      rest: { number: 1 },
    },
  );
  assert.deepEqual(observationOf([1]).rest, [1]);
  assert.equal(observationOf(null).rest, null);
});

test("only addresses of the web become links", () => {
  const { links, rest } = observationOf({ url: "javascript:alert(1)", link: "data:text/html,x" });
  assert.deepEqual(links, []);
  assert.deepEqual(rest, { url: "javascript:alert(1)", link: "data:text/html,x" });
});

test("a thought that begins with the error's message leaves that to the error", () => {
  const message = "Step 1 of 2 failed: `make` exited with 2";
  assert.equal(
    thoughtWithoutMessage(`${message}.\n\n1. make: failed\n2. not run`, message),
    "1. make: failed\n2. not run",
  );
  assert.equal(thoughtWithoutMessage(message, message), "");
  for (const other of [null, "", "I give up.", `${message}7`, `I say: ${message}`]) {
    assert.equal(thoughtWithoutMessage(other, message), other);
  }
});

test("a turn shows how its session came about", () => {
  assert.deepEqual(turnOriginOf({ turn: 2, session: "seeded", notice: "gone" }), {
    turn: 2,
    session: "seeded",
    notice: "gone",
  });
  assert.equal(turnOriginOf(null), null);
});

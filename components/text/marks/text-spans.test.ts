import assert from "node:assert/strict";
import { test } from "node:test";
import { spansIn } from "./text-spans.ts";

test("a match may begin in one node and end in another", () => {
  const parts = ["const nee", "dle", " = ", "", "Needle", "needle"];
  const shown = spansIn(parts, "needle", 10).map(({ fromPart, fromOffset, toPart, toOffset }) =>
    fromPart === toPart
      ? (parts[fromPart]?.slice(fromOffset, toOffset) ?? "")
      : [
          parts[fromPart]?.slice(fromOffset),
          ...parts.slice(fromPart + 1, toPart),
          parts[toPart]?.slice(0, toOffset),
        ].join(""),
  );
  assert.deepEqual(shown, ["needle", "Needle", "needle"]);
  assert.deepEqual(spansIn(parts, "needle", 1).length, 1);
  assert.deepEqual(spansIn([], "needle", 10), []);
});

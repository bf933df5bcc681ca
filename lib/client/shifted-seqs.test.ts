import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { operations } from "#lib/contract/operations.ts";
import { linkOperations, shiftStream, shiftsOf, type TraceOperation } from "./shifted-seqs.ts";

const ofRun = "/v1/organizations/{org_id}/agent/run/{agent_run_id}";
const ofLink = "/v1/shares/{share_token}";
const named = (id: string) => {
  const operation = operations.find((one) => one.id === id);
  assert.ok(operation, id);
  return operation;
};

/** The operations of links, by their counterparts on a run. */
const mirrored = (Object.keys(linkOperations) as TraceOperation[]).map(
  (id) => [id, named(linkOperations[id])] as const,
);

test("every operation of links has a counterpart on runs, at the same place below its link", () => {
  const onLinks = operations.filter(({ path }) => path.startsWith(ofLink));
  assert.deepEqual(mirrored.map(([, { id }]) => id).sort(), onLinks.map(({ id }) => id).sort());
  for (const [id, { method, path }] of mirrored) {
    assert.deepEqual([method, path.replace(ofLink, ofRun)], [named(id).method, named(id).path]);
  }
});

// A new field of the contract that numbers an entry fails here until its operation shifts it.
for (const [id, operation] of mirrored) {
  for (const part of ["params", "query", "result"] as const) {
    test(`${id}: each entry number in its ${part} is shifted, and nothing else`, () => {
      const sample = sampleOf(operation[part]);
      const by = part === "result" ? -5 : 5;
      assert.deepEqual(moved(id, part, sample, by), movedByName(sample, by));
    });
  }
}

test("the check above covers every entry number that links know", () => {
  const names = mirrored.flatMap(([, operation]) =>
    (["params", "query", "result"] as const).flatMap((part) => {
      const sample = sampleOf(operation[part]);
      return JSON.stringify(movedByName(sample, 1)).match(/"\w+":101\b/g) ?? [];
    }),
  );
  assert.deepEqual([...new Set(names.map((name) => name.split('"')[1]))].sort(), [
    "after",
    "around_seq",
    "first_error_seq",
    "first_seq",
    "from_seq",
    "last_error_seq",
    "last_seq",
    "seq",
    "to_seq",
  ]);
});

test("null and absent values stay as they are", () => {
  const query = { tool_call_id: "call-7" };
  assert.deepEqual(moved("getLogPosition", "query", query, 5), { ...query, seq: undefined });
  assert.deepEqual(moved("getLogPosition", "result", { skip: 3, seq: null }, -5), { skip: 3, seq: null });
  const timeline = { parts: [{ first_seq: null, last_seq: null }], spans: null };
  assert.deepEqual(moved("getTimeline", "result", timeline, -5), timeline);
});

test("an entry's own content is not shifted, whatever its names", () => {
  const entry = {
    seq: 50,
    tool_input: { seq: 3, from_seq: 1 },
    tool_output: { after: 9 },
    observation: { last_seq: 2 },
  };
  assert.deepEqual(moved("getLogEntry", "result", entry, -5), { ...entry, seq: 45 });
});

test("entries of a stream are shifted, and the run's own fields are not", () => {
  const source = Object.assign(new EventTarget(), { close: () => {} });
  const heard: unknown[] = [];
  const shifted = shiftStream(source, -40);
  for (const name of ["entry", "run"]) {
    shifted.addEventListener(name, (event) => heard.push(event instanceof MessageEvent && JSON.parse(event.data)));
  }
  source.dispatchEvent(new MessageEvent("entry", { data: '{"seq":41,"tool_input":{"seq":41}}' }));
  source.dispatchEvent(new MessageEvent("run", { data: '{"total_logs":41}' }));
  assert.deepEqual(heard, [{ seq: 1, tool_input: { seq: 41 } }, { total_logs: 41 }]);
});

/** An input or result with its numbers shifted as the operation says. */
function moved(id: TraceOperation, part: "params" | "query" | "result", value: unknown, by: number): unknown {
  // Each part's function takes what its schema describes.
  const move = shiftsOf(id)[part] as ((value: unknown, by: number) => unknown) | undefined;
  return move?.(value, by) ?? value;
}

/** A value with every field that a schema names; each number is 100. */
function sampleOf(schema: z.ZodType): unknown {
  const written = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return sampleAt(written, written.$defs ?? {});
}

function sampleAt(schema: unknown, named: Record<string, unknown>): unknown {
  const { $ref, type, properties, items, anyOf, oneOf, allOf, enum: words, const: word } = Object(schema);
  if ($ref !== undefined) return sampleAt(named[$ref.slice("#/$defs/".length)], named);
  const [first] = anyOf ?? oneOf ?? allOf ?? [];
  if (first !== undefined) return sampleAt(first, named);
  if (word !== undefined || words !== undefined) return word ?? words[0];
  if (type === "array") return [sampleAt(items, named)];
  if (type === "integer" || type === "number") return 100;
  if (type !== "object") return "text";
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, sampleAt(field, named)]));
}

/** The same with every number shifted whose name says that it is an entry's; the numbers in `share` are for people. */
function movedByName(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((item) => movedByName(item, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (typeof inner === "number" && /^(seq|after|.+_seq)$/.test(name)) return [name, inner + by];
      return [name, name === "share" ? inner : movedByName(inner, by)];
    }),
  );
}

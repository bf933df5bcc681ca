import assert from "node:assert/strict";
import { test } from "node:test";
import { AppendLogs } from "#lib/contract/ingest.ts";
import { exceedsDepth } from "#lib/http/json-depth.ts";
import { factsOf } from "#lib/store/entry-facts.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { type ReportedEntry, readBatch } from "./read-batch.ts";

const fields = ["thought", "tool_input", "tool_output", "observation"] as const;
const now = "2026-01-01T00:00:00.000Z";

/** What the regular parser makes of a body, or null if it refuses it. */
function plainly(body: Uint8Array): AppendLogs["entries"] | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return exceedsDepth(body, 64) ? null : (AppendLogs.safeParse(value).data?.entries ?? null);
  } catch {
    return null;
  }
}

function parsed(json: Uint8Array | null): unknown {
  return json === null ? null : JSON.parse(Buffer.from(json).toString());
}

/** Asserts that the entries mean the same as those read by the regular parser. */
function assertSame(raw: ReportedEntry[], entries: AppendLogs["entries"]): void {
  assert.equal(raw.length, entries.length);
  for (const [index, entry] of entries.entries()) {
    const read = raw[index];
    assert.ok(read !== undefined);
    const createdAt = entry.created_at == null ? null : new Date(entry.created_at).toISOString();
    const { message_type, tool_call_id = null, tool_name = null } = entry;
    assert.deepEqual(
      [read.created_at, read.message_type, read.tool_call_id, read.tool_name],
      [createdAt, message_type, tool_call_id, tool_name],
    );
    for (const field of fields) assert.deepEqual(parsed(read.json[field]), entry[field] ?? null, field);
    const { thought = null, tool_input = null, tool_output = null, observation = null } = entry;
    const built = { message_type, tool_call_id, tool_name, thought, tool_input, tool_output, observation };
    assert.deepEqual(
      factsOf({ ...read, created_at: createdAt ?? now }),
      factsOf({ ...built, created_at: createdAt ?? now }),
    );
  }
}

/** Pseudo-random numbers, the same for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const strings = [
  "",
  "plain",
  'say "so"',
  "back\\slash\\",
  "{[,:]}",
  "é✓😀",
  "\u0000\u001b\n",
  "\ud83d",
  "entries",
  "failed",
  "Error: it did not work",
  `Exit code 1\n${"long ".repeat(1_000)}`,
  `${"漢 ".repeat(4_000)}\n[The command completed with exit code 2.]`,
];
const keys = [
  ..."status exit_code duration_ms is_error error success output stdout text content metadata exit message".split(" "),
  ...["", "a", "constructor", "1", "thought", "é", "command"],
];
const instants = [
  now,
  "2024-02-29T23:59:59Z",
  "2026-01-31T00:00:00.123456+02:00",
  "2026-02-31T00:00:00Z",
  "2026-01-01",
  5,
];

function bodyOf(number: (below: number) => number, indent: string): Buffer {
  const value = (depth: number): unknown => {
    const kind = number(depth > 3 ? 4 : 6);
    if (kind === 0) return strings[number(strings.length)];
    if (kind === 1) return [0, -3, 12.5, 1e21, 1e-7, 40][number(6)];
    if (kind === 2) return [true, false, null][number(3)];
    if (kind === 3) return number(1000);
    const many = Array.from({ length: number(4) }, () => value(depth + 1));
    return kind === 4 ? many : object(depth);
  };
  const object = (depth: number) =>
    Object.fromEntries(keys.filter(() => number(3) === 0).map((key) => [key, value(depth + 1)]));
  const one = <T>(...of: T[]): T | undefined => of[number(of.length)];
  // Most fields are valid, because otherwise hardly any batch would be.
  const odd = <T>(right: T | null | undefined): unknown => (number(60) === 0 ? value(0) : right);
  const entries = Array.from({ length: 1 + number(4) }, () => ({
    message_type: odd(one("ACTION", "PLAN_EVALUATION", "ERROR", "USER_MESSAGE")),
    created_at: odd(number(20) === 0 ? one(...instants) : one(now, instants[1], instants[2], null, undefined)),
    tool_call_id: odd(one("call_1", "é", "x".repeat(200), null, undefined)),
    thought: odd(one("", 'said "so"\n', "é✓😀 \ud83d")),
    tool_name: odd(one("shell", "edit", "größe", "y".repeat(200))),
    tool_input: odd(object(0)),
    tool_output: odd(
      number(4) === 0
        ? { status: one("failed", "completed"), exit_code: number(2), duration_ms: number(5000) }
        : object(0),
    ),
    observation: odd(one<unknown>("", "seen", {}, object(0))),
    seq: value(0),
  }));
  return Buffer.from(JSON.stringify({ entries }, null, indent).replaceAll(/":(?=.)/g, number(2) ? '":' : '": '));
}

test("quick reading gives what the regular parser gives", () => {
  let quick = 0;
  let valid = 0;
  const rounds = countOf({ short: 500, long: 2000 });
  for (let round = 0; round < rounds; round += 1) {
    const number = numbersOf(round);
    const body = bodyOf(number, "");
    const read = readBatch(body);
    const entries = plainly(body);
    if (entries !== null) valid += 1;
    if (read === null) continue;
    assert.ok(entries !== null, body.toString());
    assertSame(read.raw, entries);
    quick += 1;
  }
  // Names and ids with escapes are rare.
  assert.ok(valid > rounds / 4 && quick > valid * 0.9, `${quick} of ${valid}`);
});

test("nothing is accepted that the regular parser refuses, whatever bytes are changed", () => {
  let taken = 0;
  const rounds = countOf({ short: 1500, long: 6000 });
  for (let round = 0; round < rounds; round += 1) {
    const number = numbersOf(round);
    const body = bodyOf(number, round % 10 === 0 ? " " : "");
    for (let change = number(3); change >= 0; change -= 1) {
      const other = [...'"\\{}[],: 0-.eEntu\n', "\u0000", "\u00ff"][number(19)] ?? "";
      body[number(body.length)] = number(2) ? (body[number(body.length)] ?? 0) : other.charCodeAt(0);
    }
    const read = readBatch(body);
    if (read === null) continue;
    const entries = plainly(body);
    assert.ok(entries !== null, body.toString("latin1"));
    assertSame(read.raw, entries);
    taken += 1;
  }
  assert.ok(taken > rounds / 30);
});

test("of a name that occurs twice the last one counts, and what is not on one line is left to the regular parser", () => {
  const twice =
    '{"entries":[{}],"entries":[{"message_type":"ACTION","message_type":"USER_MESSAGE","thought":"a","thought" : "b"}]}';
  assert.equal(readBatch(Buffer.from(twice)), null);
  const again = twice.replace("[{}]", '[{"message_type":"USER_MESSAGE"}]');
  assert.equal(parsed(readBatch(Buffer.from(again))?.raw[0]?.json.thought ?? null), "b");
  const entry = { message_type: "PLAN_EVALUATION", thought: "x" };
  assert.equal(readBatch(Buffer.from(JSON.stringify({ entries: [entry] }, null, 1))), null);
  assert.equal(readBatch(Buffer.from(JSON.stringify({ entries: [entry] }).replace("thought", "\\u0074hought"))), null);
});

test("nesting and number of entries are accepted up to their limits, and no further", () => {
  const batch = (depth: number, count = 1) =>
    Buffer.from(
      `{"entries":[${Array(count)
        .fill(`{"message_type":"USER_MESSAGE","tool_input":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`)
        .join(", ")}]}`,
    );
  for (const [body, fits] of [
    [batch(61), true],
    [batch(62), false],
    [batch(1, 1000), true],
    [batch(1, 1001), false],
  ] as const) {
    assert.equal(plainly(body) !== null, fits);
    assert.equal(readBatch(body) !== null, fits);
  }
});

test("an unknown field is left to be refused by its name", () => {
  const entry = { message_type: "USER_MESSAGE", observation: "x" };
  const read = (body: object) => readBatch(Buffer.from(JSON.stringify(body)));
  assert.equal(read({ entries: [{ ...entry, agent_run_id: 1, seq: 2 }] })?.raw.length, 1);
  assert.equal(read({ entries: [{ ...entry, tool_outputs: {} }] }), null);
  assert.equal(read({ entries: [{ ...entry, [`long ${"x".repeat(50)}`]: 1 }] }), null);
  assert.equal(read({ entries: [entry], more: 1 }), null);
});

test("no name is lost, however the batch is written", () => {
  const line =
    '{"entries":[{"message_type":"ACTION","tool_name":"a","tool_input":{"__proto__":{"x":1},"a":1},"tool_output":{}}]}';
  for (const body of [line, line.replace("{", "{\n "), line.replace("tool_input", "tool\\u005finput")]) {
    const [entry] = readBatch(Buffer.from(body))?.raw ?? [];
    assert.equal(entry?.json.tool_input?.toString(), '{"__proto__":{"x":1},"a":1}');
  }
  assert.equal(readBatch(Buffer.from('{"__proto__":')), null);
});

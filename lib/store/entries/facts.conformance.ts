import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageType, type NewEntry } from "#lib/contract/logs/entry.ts";
import { acted, messages, type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";
import { kinds } from "./entry-blocks.ts";
import { traits } from "./entry-facts.ts";
import type { EntryFactsRange } from "./entry-store.ts";

/** Facts about entries that do not require reading them. */
export function factsConformance(open: OpenStore): void {
  test("facts equal those read from the entries themselves, for any range, in whatever batches they came", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    const written = variedEntries(1400);
    for (let start = 0, size = 1; start < written.length; start += size, size = (size * 7) % 401) {
      await store.queue.append(lease, written.slice(start, start + size));
      await store.queue.append(other.lease, [{ ...acted("x"), tool_name: `other ${start}` }]);
    }
    const names = await store.entries.tools(access, run.id);
    assert.deepEqual([...names].sort(), ["", ...new Set(written.flatMap(({ tool_name }) => tool_name ?? []))].sort());
    for (const [first, last] of [
      [1, 1400],
      [1, 1],
      [256, 257],
      [257, 512],
      [300, 1399],
      [1400, 1400],
    ] as const) {
      const facts = await store.entries.facts(access, run.id, { first, last });
      assert.deepEqual(told(facts, names), expected(written.slice(first - 1, last)), `${first}..${last}`);
      assert.equal(facts.first, first);
      const { times: _times, durations: _durations, ...marks } = facts;
      assert.deepEqual(await store.entries.marks(access, run.id, { first, last }), marks);
    }
    const beyond = await store.entries.facts(access, run.id, { first: 1399, last: 5000 });
    assert.deepEqual(told(beyond, names), expected(written.slice(1398)));
    assert.equal((await store.entries.facts(access, run.id, { first: 2000, last: 5000 })).count, 0);
    assert.equal((await store.entries.facts(access, run.id, { first: 5, last: 4 })).count, 0);
  });

  test("facts are kept of external and closing entries, and of nothing that was rolled back or belongs to another organization", async (t) => {
    const { store, access, foreign, makeRun, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const range = { first: 1, last: 10 };
    const broken = { ...said("x"), created_at: "yesterday" };
    await assert.rejects(store.queue.append(lease, [acted("x"), broken]));
    await finish(lease);
    assert.equal((await store.entries.facts(access, run.id, range)).count, 1);
    assert.deepEqual(await store.entries.tools(access, run.id), [""]);

    const external = await makeRun({ agent: "external" });
    await store.external.append(access, external.id, [acted("x"), ...messages(2)]);
    assert.equal((await store.entries.facts(access, external.id, range)).count, 3);
    assert.deepEqual(await store.entries.tools(access, external.id), ["", "shell"]);
    assert.equal((await store.entries.facts(foreign, external.id, range)).count, 0);
    assert.deepEqual(await store.entries.tools(foreign, external.id), [""]);
    assert.equal((await store.entries.marks(foreign, external.id, range)).count, 0);
    assert.deepEqual(await store.entries.readChosen(foreign, external.id, [1, 2], 1000), []);
  });

  test("a tool call is found by its id: the first of the range that has it, whatever characters the id has", async (t) => {
    const { store, access, foreign, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    const ids = [
      ...Array.from({ length: 3000 }, (_, index) => `call_${index}`),
      'say "é\n\u0000\ud83d"',
      "x".repeat(200),
    ];
    const called = ids.map((tool_call_id) => ({ ...acted("x"), tool_call_id }));
    await store.queue.append(lease, [said("call_7"), ...called, ...called]);
    await store.queue.append(other.lease, [{ ...acted("x"), tool_call_id: "other" }]);
    const all = { first: 1, last: 6005 };
    const find = (id: string, range = all) => store.entries.findToolCall(access, run.id, id, range);
    for (const [index, id] of ids.entries()) {
      if (index % 250 === 0 || index >= 3000) assert.equal(await find(id), index + 2);
    }
    assert.equal(await find("call_7", { first: 10, last: 6005 }), 3011);
    assert.equal(await find("call_7", { first: 10, last: 3010 }), null);
    for (const absent of ["other", "call_", "", "null"]) assert.equal(await find(absent), null);
    assert.equal(await store.entries.findToolCall(foreign, run.id, "call_7", all), null);
  });

  test("chosen entries come in the order of their seqs, as many as fit, and none of another run", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    await store.queue.append(other.lease, messages(5));
    await store.queue.append(lease, [...messages(10), said("long".repeat(1000)), ...messages(200)]);
    const read = async (seqs: number[], bytesMax = 1_000_000) =>
      (await store.entries.readChosen(access, run.id, seqs, bytesMax)).map(({ seq, body }) => {
        assert.equal(JSON.parse(body).seq, seq);
        return seq;
      });
    const many = Array.from({ length: 100 }, (_, index) => 211 - index * 2);
    assert.deepEqual(await read(many), many);
    assert.deepEqual(await read([5, 0, 3, 212, 1]), [5, 3, 1]);
    assert.deepEqual(await read([]), []);
    assert.deepEqual(await read([11, 1], 10), [11]);
    assert.deepEqual(await read([1, 2, 11, 3], 3000), [1, 2]);
    await assert.rejects(read(Array(101).fill(1)), RangeError);
  });
}

function variedEntries(count: number): NewEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    created_at: new Date(
      index % 17 === 0 ? -62_135_596_800_000 + index : 1_780_000_000_000 - index * 997,
    ).toISOString(),
    message_type: MessageType.options[(index * index) % 13] ?? "ACTION",
    thought: index % 3 === 0 ? "Hm" : "",
    tool_name: index % 5 === 0 ? null : `tool ${(index * 31) % 300}`,
    tool_input: {},
    tool_output: {
      status: index % 7 === 0 ? "failed" : "completed",
      ...(index % 2 === 0 ? { duration_ms: [0, 15, 2.6, -5, "9", 2 ** 40][index % 6] } : {}),
    },
    observation: index % 4 === 0 ? "" : { text: "seen" },
  })).map(populated);
}

/** An entry with the fields its type requires. */
function populated(entry: NewEntry): NewEntry {
  switch (entry.message_type) {
    case "ACTION":
      return { ...entry, tool_name: entry.tool_name ?? "shell" };
    case "PLAN_EVALUATION":
      return { ...entry, thought: entry.thought || "Hm" };
    case "ERROR":
    case "FINAL_ANSWER":
      return { ...entry, observation: entry.observation || { text: "seen" } };
    default:
      return entry;
  }
}

function told({ count, kinds: codes, ...facts }: EntryFactsRange, names: string[]) {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds.find(({ code }) => code === codes[index]);
    const bits = facts.traits[index] ?? 0;
    return {
      type: kind?.messageType,
      isError: kind?.isError,
      tool: names[facts.tools[index] ?? -1],
      at: new Date(facts.times[index] ?? Number.NaN).toISOString(),
      duration: facts.durations[index],
      thought: (bits & traits.thought) !== 0,
      observation: (bits & traits.observation) !== 0,
      timed: (bits & traits.timed) !== 0,
    };
  });
}

function expected(entries: NewEntry[]): ReturnType<typeof told> {
  return entries.map((entry) => {
    const duration = entry.tool_output?.duration_ms;
    const timed = typeof duration === "number" && duration >= 0;
    return {
      type: entry.message_type,
      isError: entry.message_type === "ERROR" || entry.tool_output?.status === "failed",
      tool: entry.tool_name ?? "",
      at: entry.created_at,
      duration: timed ? Math.min(Math.round(duration), 2 ** 32 - 1) : 0,
      thought: entry.thought !== "",
      observation: entry.observation !== "",
      timed,
    };
  });
}

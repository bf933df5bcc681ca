import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageType, type NewEntry } from "#lib/contract/logs/entry.ts";
import { acted, messages, type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";
import type { OutlinedEntries } from "./entry-store.ts";

/** Overview of a run: for any query, the same result as counting the entries themselves. */
export function outlineConformance(open: OpenStore): void {
  test("an outline equals a count of the entries, for any range and number of parts", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    const written = mixedEntries(1500);
    for (let start = 0, size = 1; start < written.length; start += size, size = (size * 7) % 401) {
      await store.queue.append(lease, written.slice(start, start + size));
      await store.queue.append(other.lease, messages(3));
    }
    assert.equal((await store.runs.find(access, run.id))?.totalLogs, 1500);
    for (const [first, last] of [
      [1, 1500],
      [1, 1],
      [256, 257],
      [257, 512],
      [300, 1499],
      [1500, 1500],
    ] as const) {
      for (const buckets of [1, 2, 7, 200, 256, 1999]) {
        const parts = await store.entries.outline(access, run.id, { first, last, buckets });
        assert.equal(parts.length, Math.min(buckets, last - first + 1));
        assert.deepEqual(parts, counted(written, parts), `${first}..${last} in ${buckets}`);
        const sizes = parts.map((part) => part.last - part.first + 1);
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
        assert.deepEqual([parts[0]?.first, parts.at(-1)?.last], [first, last]);
        assert.ok(parts.every((part, index) => index === 0 || part.first === (parts[index - 1]?.last ?? 0) + 1));
      }
    }
  });

  test("an outline follows a growing run, whatever part of it was read before", async (t) => {
    const { store, access, foreign, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const written = mixedEntries(1100);
    const outlineOf = (first: number, last: number) =>
      store.entries.outline(access, run.id, { first, last, buckets: 5 });
    for (let total = 0, size = 1; total < written.length; size = (size * 7) % 401) {
      await store.queue.append(lease, written.slice(total, total + size));
      total = Math.min(written.length, total + size);
      // Two concurrent reads, one ending before the cached part, one beginning after it.
      for (const [first, last] of [
        [1, total],
        [1, total],
        [1, Math.ceil(total / 3)],
        [Math.ceil(total / 2), total],
      ] as const) {
        const [one, other] = await Promise.all([outlineOf(first, last), outlineOf(total, total)]);
        assert.deepEqual(one, counted(written, one), `${first}..${last} of ${total}`);
        assert.deepEqual([one[0]?.first, one.at(-1)?.last], [first, last]);
        assert.deepEqual(other, counted(written, other));
      }
      assert.deepEqual(await store.entries.outline(foreign, run.id, { first: 1, last: total, buckets: 5 }), []);
    }
  });

  test("an outline includes the closing entries and nothing that was rolled back or belongs to another organization", async (t) => {
    const { store, access, foreign, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const range = { first: 1, last: 1, buckets: 10 };
    assert.deepEqual(await store.entries.outline(access, run.id, { ...range, last: 0 }), []);
    await assert.rejects(store.queue.append(lease, [said("good"), { ...said("x"), created_at: "yesterday" }]));
    await finish(lease);
    const [closing, ...rest] = await store.entries.outline(access, run.id, range);
    assert.deepEqual([closing?.counts, rest], [{ USER_MESSAGE: 1 }, []]);
    assert.deepEqual(await store.entries.outline(foreign, run.id, range), []);
  });
}

/** Every message type, every kind of failure, and uneven times. */
function mixedEntries(count: number): NewEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const created_at = new Date(1_780_000_000_000 + index * index * 10).toISOString();
    const failed = {
      ...acted("x"),
      tool_output: [{ status: "failed" }, { exit_code: 1 }, { exit_code: 0 }][index % 3],
    };
    const messageType = MessageType.options[(index * 7) % MessageType.options.length] ?? "ACTION";
    const entry =
      index % 11 === 0 ? failed : { ...acted("x"), thought: "t", observation: "o", message_type: messageType };
    return { ...entry, tool_output: entry.tool_output ?? null, created_at };
  });
}

function counted(written: NewEntry[], parts: OutlinedEntries[]): OutlinedEntries[] {
  return parts.map(({ first, last }) => {
    const entries = written.slice(first - 1, last);
    const errors = entries.flatMap((entry, index) => (isError(entry) ? [first + index] : []));
    const counts: Record<string, number> = {};
    for (const { message_type } of entries) counts[message_type] = (counts[message_type] ?? 0) + 1;
    return {
      first,
      last,
      counts,
      errors: errors.length,
      firstError: errors[0] ?? null,
      lastError: errors.at(-1) ?? null,
      firstAt: entries[0]?.created_at ?? "",
      lastAt: entries.at(-1)?.created_at ?? "",
    };
  });
}

function isError({ message_type, tool_output }: NewEntry): boolean {
  return message_type === "ERROR" || tool_output?.status === "failed" || Number(tool_output?.exit_code ?? 0) !== 0;
}

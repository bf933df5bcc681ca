import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { acted, messages, type OpenStore, openFixture, parsePage, said } from "#lib/store/conformance.fixture.ts";

/** Log entries: written once, dense, read by position. */
export function entryConformance(open: OpenStore): void {
  test("entries count from 1 without a gap, whoever appends at once", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const batches = Array.from({ length: 40 }, (_, index) => messages((index % 7) + 1));
    const lasts = await Promise.all(batches.map((batch) => store.queue.append(lease, batch)));
    const total = batches.flat().length;
    assert.equal(Math.max(...lasts), total);
    assert.equal((await store.runs.find(access, run.id))?.totalLogs, total);
    const entries = await store.entries.readAfter(access, run.id, 0, 1000, 1e9);
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: total }, (_, index) => index + 1),
    );
    assert.equal(await store.queue.append(lease, []), total);
  });

  test("an entry is stored as the API sends it: all keys, in order", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const entry: NewEntry = {
      observation: { text: "😀 \u0000 \u2028 \ud83d" },
      tool_output: { status: "completed", nested: { list: [1, null, "ü"] } },
      tool_input: { command: "echo '😀'" },
      tool_name: "shell",
      thought: "first\nsecond",
      tool_call_id: "call_1",
      message_type: "ACTION",
      created_at: "2026-01-31T12:00:00.123Z",
    };
    await store.queue.append(lease, [entry]);
    const body = await store.entries.find(access, run.id, 1);
    const { created_at, message_type, tool_call_id, thought, tool_name, tool_input, tool_output, observation } = entry;
    assert.equal(
      body,
      JSON.stringify({
        agent_run_id: run.id,
        seq: 1,
        created_at,
        message_type,
        tool_call_id,
        thought,
        tool_name,
        tool_input,
        tool_output,
        observation,
      }),
    );
    const page = { skip: 0, limit: 1, totalLogs: 1 };
    for (const reverse of [true, false]) {
      assert.equal(Buffer.concat(await store.entries.readPage(access, run.id, { ...page, reverse })).toString(), body);
    }
    assert.equal(await store.entries.find(access, run.id, 2), null);
    assert.equal(await store.entries.find(access, run.id, 0), null);
    assert.equal(await store.entries.find(access, run.id, 2 ** 27), null);
  });

  test("a page contains what skip and limit say, in both orders, and nothing of the next run", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    await store.queue.append(lease, messages(25));
    await store.queue.append(other.lease, messages(25));
    const seqs = async (skip: number, limit: number, reverse: boolean, totalLogs = 25) =>
      parsePage(await store.entries.readPage(access, run.id, { skip, limit, reverse, totalLogs })).map(
        ({ seq }) => seq,
      );
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
    assert.deepEqual(await seqs(0, 10, false), range(1, 10));
    assert.deepEqual(await seqs(20, 10, false), range(21, 25));
    assert.deepEqual(await seqs(0, 10, true), range(16, 25).reverse());
    assert.deepEqual(await seqs(20, 10, true), range(1, 5).reverse());
    assert.deepEqual(await seqs(0, 100, false), range(1, 25));
    assert.deepEqual(await seqs(0, 100, true), range(1, 25).reverse());
    // Entries added after the total was read are not part of this page.
    assert.deepEqual(await seqs(5, 100, false, 20), range(6, 20));
    assert.deepEqual(await seqs(0, 3, true, 20), range(18, 20).reverse());
    for (const skip of [25, 26, 2 ** 27 - 1]) {
      for (const reverse of [true, false]) assert.deepEqual(await seqs(skip, 100, reverse), []);
    }
  });

  test("the tail is read in order, bounded by number and bytes, never less than one", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    await store.queue.append(lease, [...messages(10), acted("x".repeat(100_000)), said("after")]);
    await store.queue.append(other.lease, messages(5));
    const seqs = async (after: number, limit: number, bytesMax: number) =>
      (await store.entries.readAfter(access, run.id, after, limit, bytesMax)).map(({ seq }) => seq);
    assert.deepEqual(await seqs(0, 3, 1e6), [1, 2, 3]);
    assert.deepEqual(await seqs(3, 100, 50_000), [4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(await seqs(10, 100, 50_000), [11]);
    assert.deepEqual(await seqs(11, 100, 50_000), [12]);
    assert.deepEqual(await seqs(0, 100, 1), [1]);
    assert.deepEqual(await seqs(12, 100, 50_000), []);
    assert.deepEqual(await seqs(2 ** 27, 100, 50_000), []);
  });

  test("entries of a megabyte are stored whole", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const text = "😀é\n".repeat(150_000);
    await store.queue.append(lease, [acted(text), acted(text)]);
    const page = await store.entries.readPage(access, run.id, { skip: 0, limit: 100, reverse: false, totalLogs: 2 });
    const entries: { tool_output: { output: string } }[] = JSON.parse(`[${Buffer.concat(page).toString("utf8")}]`);
    assert.deepEqual(
      entries.map(({ tool_output }) => tool_output.output === text),
      [true, true],
    );
  });

  test("a page of several megabytes has every entry in both orders, and others get their turn while it is read", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const other = await startRun();
    await store.queue.append(lease, messages(5));
    for (const size of [1.5e6, 6e5, 6e5, 6e5]) await store.queue.append(lease, [acted("x".repeat(size))]);
    await store.queue.append(lease, messages(5));
    await store.queue.append(other.lease, messages(5));
    for (const reverse of [false, true]) {
      let turns = 0;
      let turn = setImmediate(function take() {
        turns += 1;
        turn = setImmediate(take);
      });
      const page = await store.entries.readPage(access, run.id, { skip: 1, limit: 100, reverse, totalLogs: 14 });
      clearImmediate(turn);
      const expected = Array.from({ length: 13 }, (_, at) => (reverse ? 13 - at : at + 2));
      assert.deepEqual(
        parsePage(page).map(({ seq }) => seq),
        expected,
      );
      assert.ok(turns > 0, "nobody else got a turn");
    }
  });

  test("an entry that breaks the population rules is refused with the rest of its batch", async (t) => {
    const { store, access, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const broken: NewEntry[] = [
      { ...acted("x"), tool_output: null },
      { ...acted("x"), tool_name: null },
      { ...said("x"), message_type: "PLAN_EVALUATION" },
      { ...said("x"), message_type: "ERROR", observation: null },
      { ...said("x"), message_type: "FINAL_ANSWER", observation: null },
    ];
    for (const entry of broken) {
      await assert.rejects(store.queue.append(lease, [said("good"), entry]), /must be present/);
    }
    await assert.rejects(store.queue.append(lease, [{ ...said("x"), created_at: "yesterday" }]), /not an instant/);
    assert.equal((await store.runs.find(access, run.id))?.totalLogs, 0);
    await finish(lease);
    assert.equal((await store.runs.find(access, run.id))?.totalLogs, 1);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { FoundHits, HitsFrom } from "#lib/client/find-filtered.ts";
import { answered, startReading } from "./reading.fixture.ts";
import { TraceFinder } from "./trace-finder.ts";

type Start = { find?: string | null; entry?: number | null; filter?: LogsFilter | null };

/** A search in a run of 1,000 entries of which five are in view, whose server and clock the test holds. */
function startFinding({ find = null, entry = null, filter = null }: Start = {}) {
  const reading = startReading({ entry, find });
  const asked: (PromiseWithResolvers<FoundHits> & { from: HitsFrom; limit: number; signal: AbortSignal })[] = [];
  const schedule = (callback: () => void, ms: number) => {
    const timer = { callback, ms };
    reading.timers.push(timer);
    return () => {
      const at = reading.timers.indexOf(timer);
      if (at !== -1) reading.timers.splice(at, 1);
    };
  };
  const finder = new TraceFinder({
    reader: reading.reader,
    ask: (_search, from, limit, signal) => {
      const question = { ...Promise.withResolvers<FoundHits>(), from, limit, signal };
      asked.push(question);
      return question.promise;
    },
    ...{ filter, schedule, initial: { find, entry } },
  });
  const stop = finder.connect();
  /** The present search has come to this. */
  const found = (hits: FoundHits) => {
    const { search } = finder.snapshot;
    if (search !== null) finder.answered(search, hits, null);
  };
  return { ...reading, finder, asked, found, stop };
}

/** These hits, the first of them at a rank; `of` are there in all. */
function hitsOf(seqs: number[], { skip = 0, of = seqs.length, complete = true } = {}): FoundHits {
  const hit = { message_type: "ACTION", tool_name: null, field: "thought", snippet: "", snippet_start: 0 };
  return {
    ...{ q: "", total_logs: 1000, searched_logs: 1000, complete, matching_logs: of, matches: of, skip, buckets: [] },
    hits: seqs.map((seq) => ({ ...hit, seq, snippet_length: 0, matches: 1 })),
  };
}

/** The entry that the reader was led to last. */
function ledTo({ finder }: ReturnType<typeof startFinding>): number | undefined {
  return finder.snapshot.target?.seq;
}

test("what is typed is looked for when the keys rest, from what is read on", () => {
  const { finder, list, pass } = startFinding();
  finder.call();
  list.top = 40;
  finder.type("e");
  finder.type("er");
  assert.equal(finder.snapshot.search, null);
  pass(60);
  assert.deepEqual(finder.snapshot.search, { q: "er", around: 41, filter: null });
});

test("what is pasted is looked for at once", () => {
  const { finder, timers } = startFinding();
  finder.call();
  finder.type("error");
  assert.deepEqual([finder.snapshot.search?.q, timers.map(({ ms }) => ms)], ["error", [200]]);
});

test("Enter does not wait for the keys to rest", () => {
  const { finder } = startFinding();
  finder.call();
  finder.type("e");
  void finder.step("next");
  assert.equal(finder.snapshot.search?.q, "e");
});

test("the first hit is gone to as soon as there is one, in the middle of the view, or where it is when it is in view", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found(hitsOf([], { complete: false }));
  assert.deepEqual(list.news(), []);
  found(hitsOf([500, 600], { complete: false }));
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
  finder.open("warning");
  found(hitsOf([501]));
  assert.deepEqual(list.news(), ["500 nearest", "focus none"]);
});

test("while the search goes on and the run grows, who is at a hit stays there, and its rank is known once it is", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found({ ...hitsOf([500], { complete: false, of: 1 }), skip: null });
  list.news();
  assert.equal(finder.rank, null);
  found(hitsOf([500, 600], { skip: 7, of: 12 }));
  list.grow(10);
  found(hitsOf([500, 600, 1005], { skip: 7, of: 13 }));
  assert.deepEqual([list.news(), finder.rank], [[], 7]);
});

test("more letters look on from the hit while it is in view, else from what is read", () => {
  const { finder, list, found, pass } = startFinding();
  finder.open("err");
  found(hitsOf([500]));
  finder.type("erro");
  pass(60);
  assert.equal(finder.snapshot.search?.around, 500);
  list.top = 20;
  finder.type("error");
  pass(60);
  assert.equal(finder.snapshot.search?.around, 21);
});

test("the same text again is the same search, and nobody is led back to its first hit", () => {
  const { finder, list, found, pass } = startFinding();
  finder.open("error");
  found(hitsOf([500, 600]));
  list.news();
  const { search } = finder.snapshot;
  finder.type("errors");
  finder.type("error");
  pass(60);
  finder.open("error");
  assert.ok(finder.snapshot.search === search);
  assert.deepEqual(list.news(), []);
});

test("what is known of another text is of no use", () => {
  const { finder, list } = startFinding();
  finder.open("error");
  const { search } = finder.snapshot;
  finder.open("warning");
  if (search !== null) finder.answered(search, hitsOf([500]), null);
  assert.deepEqual([finder.snapshot.found, list.news()], [null, []]);
});

test("text that nobody can look for is cut or left out, and nothing is looked for while there is none", () => {
  const { finder } = startFinding();
  finder.open(`${"x".repeat(300)}`);
  assert.equal(finder.snapshot.search?.q.length, 200);
  finder.open("a\u0000b");
  assert.equal(finder.snapshot.search?.q, "ab");
  finder.open("");
  assert.equal(finder.snapshot.search, null);
});

test("nobody is led to what is found while the search is closed, and to the first hit once it is opened", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  finder.close();
  found(hitsOf([500]));
  assert.deepEqual(list.news(), []);
  finder.open();
  assert.deepEqual(list.news(), ["499 center", "focus none"]);
});

test("hits that came together are gone through without asking", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500, 600, 700], { skip: 3, of: 9 }));
  const passed: unknown[] = [];
  for (const direction of ["next", "next", "previous"] as const) {
    await finder.step(direction);
    passed.push([ledTo(finding), finder.rank]);
  }
  assert.deepEqual(
    [passed, asked],
    [
      [
        [600, 4],
        [700, 5],
        [600, 4],
      ],
      [],
    ],
  );
});

test("a step beyond them asks for the next hits, and one back for those before", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500], { skip: 30, of: 90 }));
  const next = finder.step("next");
  assert.deepEqual([asked[0]?.from, finder.snapshot.isStepping], [{ around: 501 }, true]);
  asked[0]?.resolve(hitsOf([600, 610], { skip: 31, of: 90 }));
  await next;
  assert.deepEqual([ledTo(finding), finder.rank, finder.snapshot.isStepping], [600, 31, false]);
  const back = finder.step("previous");
  assert.deepEqual([asked[1]?.from, asked[1]?.limit], [{ skip: 11 }, 20]);
  asked[1]?.resolve(hitsOf([480, 500], { skip: 29, of: 90 }));
  await back;
  assert.deepEqual([ledTo(finding), finder.rank], [500, 30]);
});

test("a step back waits for the rank where it is not known yet", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found({ ...hitsOf([500], { complete: false }), skip: null });
  const back = finder.step("previous");
  assert.deepEqual([asked[0]?.from, asked[0]?.limit], [{ around: 500 }, 1]);
  asked[0]?.resolve(hitsOf([500], { skip: 1, of: 40 }));
  await answered();
  assert.deepEqual(asked[1]?.from, { skip: 0 });
  asked[1]?.resolve(hitsOf([20], { skip: 0, of: 40 }));
  await back;
  assert.equal(ledTo(finding), 20);
});

test("after the last hit comes the first, which is told; and before the first the last", async () => {
  const finding = startFinding();
  const { finder, found, asked } = finding;
  finder.open("error");
  found(hitsOf([500, 600]));
  await finder.step("next");
  assert.equal(finder.snapshot.wrapped, null);
  await finder.step("next");
  assert.deepEqual([ledTo(finding), finder.snapshot.wrapped], [500, "next"]);
  const back = finder.step("previous");
  asked[0]?.resolve(hitsOf([500, 600]));
  await back;
  assert.deepEqual([ledTo(finding), finder.snapshot.wrapped], [600, "previous"]);
  await finder.step("previous");
  assert.equal(finder.snapshot.wrapped, null);
});

test("a key that is held down asks once, until that is answered", async () => {
  const { finder, found, asked } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  for (let press = 0; press < 3; press += 1) void finder.step("next");
  assert.equal(asked.length, 1);
  asked[0]?.resolve(hitsOf([600], { skip: 1, of: 90 }));
  await answered();
  void finder.step("next");
  assert.equal(asked.length, 2);
});

test("a step that another text, another filter or closing has overtaken leads nowhere", async () => {
  const overtaken: Record<string, (finder: TraceFinder) => void> = {
    text: (finder) => finder.open("warning"),
    filter: (finder) => finder.setFilter({ errors: "true" }),
    closing: (finder) => finder.close(),
  };
  for (const [name, act] of Object.entries(overtaken)) {
    const finding = startFinding();
    const { finder, found, asked, list } = finding;
    finder.open("error");
    found(hitsOf([500], { of: 90 }));
    const step = finder.step("next");
    act(finder);
    list.news();
    asked[0]?.resolve(hitsOf([600], { skip: 1, of: 90 }));
    await step;
    const { isStepping, stepError } = finder.snapshot;
    assert.deepEqual([asked[0]?.signal.aborted, list.news(), isStepping, stepError], [true, [], false, null], name);
  }
});

test("a step that fails is told of until the next one", async () => {
  const { finder, found, asked } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  const step = finder.step("next");
  asked[0]?.reject(new Error("unreachable"));
  await step;
  assert.deepEqual([finder.snapshot.stepError?.message, finder.snapshot.isStepping], ["unreachable", false]);
  void finder.step("next");
  assert.equal(finder.snapshot.stepError, null);
});

test("another filter is another search, from the hit that was shown", () => {
  const { finder, list, found } = startFinding();
  finder.open("error");
  found(hitsOf([500]));
  list.top = 20;
  list.news();
  const filter = { errors: "true" } as const;
  finder.setFilter(filter);
  assert.deepEqual(finder.snapshot.search, { q: "error", around: 500, filter });
  assert.deepEqual([finder.snapshot.found, finder.snapshot.cursor], [null, null]);
  finder.setFilter(filter);
  found(hitsOf([510]));
  assert.deepEqual(list.news(), ["509 center", "focus none"]);
});

test("what is looked for and the hit stand in the address once the keys rest, and closing takes them out", () => {
  const { finder, found, written, pass, list } = startFinding();
  finder.open("error");
  found(hitsOf([500, 600]));
  void finder.step("next");
  pass(200);
  assert.deepEqual(written, [{ find: "error", entry: "600", how: "replace" }]);
  finder.close();
  pass(200);
  assert.deepEqual(written.at(-1), { find: null, how: "replace" });
  list.news();
});

test("an address that asks for a text opens the search, one that asks for none closes it, and its own is not followed", () => {
  const finding = startFinding();
  const { finder, found, address, pass } = finding;
  address({ entry: null, find: "error" });
  assert.deepEqual([finder.snapshot.isOpen, finder.snapshot.search?.q], [true, "error"]);
  found(hitsOf([500]));
  pass(200);
  finder.type("warning");
  found(hitsOf([600]));
  pass(200);
  address({ entry: 600, find: "warning" });
  assert.equal(finder.snapshot.text, "warning");
  address({ entry: 600, find: null });
  assert.equal(finder.snapshot.isOpen, false);
});

test("a page that opens with a search looks for it from its entry on, and writes nothing until it leads somewhere", () => {
  const { finder, found, written, pass, list } = startFinding({ find: "error", entry: 40 });
  assert.deepEqual(finder.snapshot.search, { q: "error", around: 40, filter: null });
  pass(200);
  assert.deepEqual(written, []);
  found(hitsOf([40]));
  assert.deepEqual(list.news(), ["39 center", "focus none"]);
});

test("each call of a key is counted, and what is typed next may take the place of the text", () => {
  const { finder } = startFinding();
  finder.call("chosen");
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [1, true, "chosen"]);
  finder.type("x");
  assert.equal(finder.snapshot.isFresh, false);
  finder.call();
  assert.deepEqual([finder.snapshot.calls, finder.snapshot.isFresh, finder.snapshot.text], [2, true, "x"]);
});

test("once the page is gone nothing is looked for or written any more", async () => {
  const { finder, found, asked, timers, stop } = startFinding();
  finder.open("error");
  found(hitsOf([500], { of: 90 }));
  void finder.step("next");
  finder.type("errors");
  stop();
  assert.deepEqual([timers, asked[0]?.signal.aborted], [[], true]);
});

test("a place inside of a card is brought into the middle of the view", () => {
  const { finder, list } = startFinding();
  finder.showPlace(500, 120);
  assert.deepEqual(list.news(), ["499 center 120px", "focus none"]);
});

test("the snapshot is the same object until something changes", () => {
  const { finder } = startFinding();
  const before = finder.snapshot;
  finder.setFilter(null);
  assert.ok(finder.snapshot === before);
  let told = 0;
  const stop = finder.subscribe(() => (told += 1));
  finder.close();
  stop();
  finder.open();
  assert.equal(told, 1);
});

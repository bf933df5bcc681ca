import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MessageType, type NewEntry } from "#lib/contract/logs/entry.ts";
import type { Lease } from "#lib/store/store.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
let logs: string;
let lease: Lease;
const O = "/v1/organizations/1";

const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
const at = (index: number) => new Date(1_780_000_000_000 + index * 1000).toISOString();

/** In turns of ten: a message, a plan, five commands of which one fails, two reads of which one has a thought, an error. */
function turns(count: number): NewEntry[] {
  return Array.from({ length: count * 10 }, (_, index): NewEntry => {
    const place = index % 10;
    const entry = { ...blank, created_at: at(index), tool_call_id: `call ${index + 1}` };
    if (place === 0) return { ...entry, message_type: "USER_MESSAGE", observation: `turn ${index / 10}` };
    if (place === 1) return { ...entry, message_type: "PLAN_EVALUATION", thought: "Plan", tool_name: "plan" };
    if (place === 9) return { ...entry, message_type: "ERROR", observation: "It broke" };
    return {
      ...entry,
      message_type: "ACTION",
      thought: place === 8 ? "Look" : null,
      tool_name: place < 7 ? "shell" : "read, whole",
      tool_input: { index },
      tool_output: { status: "completed", exit_code: place === 4 ? 1 : 0, output: `output ${index}` },
    };
  });
}

const written = turns(60);

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  const live = await api.liveRun(written);
  lease = live.lease;
  logs = `${O}/agent/run/${live.run.id}/logs`;
});
after(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => api.ask("GET", path, { token, headers });
const seqsOf = (json: Record<string, unknown>) => (json.logs as { seq: number }[]).map(({ seq }) => seq);
const places = (...wanted: number[]) => written.flatMap((_, index) => (wanted.includes(index % 10) ? [index + 1] : []));

const filters: [string, number[]][] = [
  ["message_type=USER_MESSAGE", places(0)],
  ["message_type=USER_MESSAGE,ERROR", places(0, 9)],
  ["message_type=USER_MESSAGE&message_type=ERROR", places(0, 9)],
  ["message_type=FINAL_ANSWER", []],
  ["errors=true", places(4, 9)],
  ["errors=1&message_type=ACTION", places(4)],
  ["errors=false&prose=0&message_type=ERROR", places(9)],
  ["tool_name=shell", places(2, 3, 4, 5, 6)],
  ["tool_name=shell,plan", places(1, 2, 3, 4, 5, 6)],
  ["tool_name=read, whole", places(7, 8)],
  ["tool_name=plan&tool_name=read, whole", places(1, 7, 8)],
  ["tool_name=read", []],
  ["tool_name=nothing", []],
  ["prose=true", places(0, 1, 8, 9)],
  ["prose=true&tool_name=read, whole", places(8)],
  [
    "q=OUTPUT 1",
    written.flatMap((_, index) =>
      String(index).startsWith("1") && [2, 3, 4, 5, 6, 7, 8].includes(index % 10) ? [index + 1] : [],
    ),
  ],
  [
    "q=output 1&errors=true",
    written.flatMap((_, index) => (String(index).startsWith("1") && index % 10 === 4 ? [index + 1] : [])),
  ],
  ["q=not there", []],
];

test("a filtered page equals filtering the whole run, in both directions, clipped and whole", async () => {
  for (const [filter, expected] of filters) {
    for (const [page, window] of [
      ["", expected.slice(0, 100)],
      ["&limit=7&skip=21", expected.slice(21, 28)],
      ["&limit=7&skip=1000", []],
      ["&limit=9&reverse=true", expected.toReversed().slice(0, 9)],
      ["&limit=9&reverse=true&skip=50&clip=3", expected.toReversed().slice(50, 59)],
      ["&clip=3&limit=5", expected.slice(0, 5)],
    ] as const) {
      const { status, json, text } = await get(`${logs}?${filter}${page}`);
      assert.equal(status, 200, text);
      assert.deepEqual(seqsOf(json), window, filter + page);
      const limit = Number(/limit=(\d+)/.exec(page)?.[1] ?? 100);
      assert.deepEqual(
        [json.total_logs, json.matching_logs, json.complete, json.pages],
        [600, expected.length, true, Math.ceil(expected.length / limit)],
      );
    }
  }
});

test("a filtered entry is the entry as stored, and without a filter nothing is said of matching", async () => {
  const { json } = await get(`${logs}?errors=true&limit=1`);
  assert.deepEqual((json.logs as unknown[])[0], (await get(`${logs}/5`)).json);
  for (const path of [logs, `${logs}?errors=false&q=`]) {
    const { json: plain } = await get(path);
    assert.deepEqual([plain.matching_logs, plain.complete, plain.pages], [undefined, undefined, 6]);
  }
});

test("a position says how many filtered entries precede an entry, and which comes next", async () => {
  for (const [filter, expected] of [["", places(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)] as const, ...filters]) {
    for (const seq of [1, 5, 6, 299, 599, 600, 601, 100_000]) {
      const { json } = await get(`${logs}/position?seq=${seq}&${filter}`);
      const skip = expected.filter((one) => one < seq).length;
      assert.deepEqual(
        json,
        { skip, seq: expected[skip] ?? null, matching_logs: expected.length, complete: true },
        `${seq} ${filter}`,
      );
    }
  }
});

test("an outline says how many entries of each part match a filter", async () => {
  for (const [filter, expected] of filters) {
    const { json } = await get(`${logs}/outline?buckets=7&from_seq=11&${filter}`);
    assert.deepEqual([json.total_logs, json.matching_logs, json.complete], [600, expected.length, true], filter);
    for (const part of json.buckets as { from_seq: number; to_seq: number; matching: number }[]) {
      const inside = expected.filter((seq) => seq >= part.from_seq && seq <= part.to_seq);
      assert.equal(part.matching, inside.length, `${filter} from ${part.from_seq}`);
    }
  }
  const { json: plain } = await get(`${logs}/outline?buckets=2`);
  assert.ok(!JSON.stringify(plain).includes("matching"));
});

test("an outline of the most parts that can be requested has at most 100 kB", async () => {
  const { text, json } = await get(`${logs}/outline?buckets=300&errors=true`);
  assert.equal((json.buckets as unknown[]).length, 300);
  assert.ok(text.length < 100_000, `${text.length}`);
});

test("if every part has every type, an outline has fewer parts and still at most 100 kB", async () => {
  const many = MessageType.options.flatMap((message_type) => {
    const action = { tool_name: "shell", tool_input: {}, tool_output: { exit_code: 1 } };
    return [{ ...blank, ...action, created_at: at(0), message_type, thought: "Plan", observation: "Seen" }];
  });
  const { run } = await api.liveRun(Array.from({ length: 300 }, () => many).flat());
  for (const filter of ["", "&errors=true"]) {
    const { text, json } = await get(`${O}/agent/run/${run.id}/logs/outline?buckets=300${filter}`);
    assert.ok(text.length > 85_000 && text.length < 100_000, `${text.length}`);
    const buckets = json.buckets as { from_seq: number; to_seq: number; counts: Record<string, number> }[];
    assert.ok(buckets.length > 150);
    let next = 1;
    for (const { from_seq, to_seq, counts } of buckets) {
      const entries = Object.values(counts).reduce((sum, count) => sum + count, 0);
      assert.deepEqual([from_seq, to_seq - from_seq + 1], [next, entries]);
      next = to_seq + 1;
    }
    assert.equal(next, many.length * 300 + 1);
  }
});

test("a tool call is found by its id, and an unknown one is placed after all entries", async () => {
  const position = async (query: string) => (await get(`${logs}/position?${query}`)).json;
  assert.deepEqual(await position("tool_call_id=call 77"), { skip: 76, seq: 77, matching_logs: 600, complete: true });
  assert.deepEqual(await position("tool_call_id=none"), { skip: 600, seq: null, matching_logs: 600, complete: true });
  assert.deepEqual(await position("tool_call_id=call 77&errors=true"), {
    skip: 15,
    seq: 80,
    matching_logs: 120,
    complete: true,
  });
});

test("the tools of a run are listed with their counts, the most used first", async () => {
  assert.deepEqual((await get(`${logs}/tools`)).json, {
    items: [
      { tool_name: "shell", count: 300 },
      { tool_name: "read, whole", count: 120 },
      { tool_name: "plan", count: 60 },
    ],
  });
});

test("an unchanged filtered page is not sent again, and a growing run is filtered to its end", async () => {
  const path = `${logs}?tool_name=late&limit=1&reverse=true`;
  const first = await get(path);
  const etag = first.headers.get("etag") ?? "";
  assert.equal(first.json.matching_logs, 0);
  assert.equal((await get(path, { "if-none-match": etag })).status, 304);
  const [action] = written.slice(2, 3);
  assert.ok(action !== undefined);
  await api.store.queue.append(lease, [
    { ...action, tool_name: "late" },
    ...turns(1),
    { ...action, tool_name: "late" },
  ]);
  const grown = await get(path, { "if-none-match": etag });
  assert.deepEqual([grown.status, grown.json.matching_logs, seqsOf(grown.json)], [200, 2, [612]]);
  assert.deepEqual(seqsOf((await get(`${logs}?errors=true&skip=120`)).json), [606, 611]);
});

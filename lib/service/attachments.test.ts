import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { attachmentBounds } from "#lib/contract/bounds.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("member");
});
after(() => api.close());

type Problem = { errors: { loc: unknown[]; msg: string }[] };
const text = "x";
const create = (attachments: unknown) =>
  api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Look", attachments } });

test("exports have a message's files in full, and a run's clipped page says what is cut", async () => {
  const fence = "```\n<b>not HTML</b>\n````\n";
  const file = { name: "notes.md", media_type: "text/markdown", bytes: fence.length, text: fence };
  const { run, lease } = await api.liveRun([
    {
      created_at: "2026-01-31T23:59:59.000Z",
      message_type: "USER_MESSAGE",
      thought: null,
      tool_name: null,
      tool_input: { turn: 1, session: "new", attachments: [file] },
      tool_output: null,
      observation: "Read it",
    },
  ]);
  await api.finish(lease);
  const path = `${O}/agent/run/${run.id}`;
  const exported = async (format: string) => (await api.ask("GET", `${path}/export?format=${format}`, { token })).text;
  const markdown = await exported("markdown");
  assert.match(markdown, /Attached file notes\.md \(text\/markdown\)/);
  assert.ok(markdown.includes(fence));
  assert.match(await exported("html"), /&lt;b&gt;not HTML&lt;\/b&gt;/);
  assert.ok((await exported("json")).includes(JSON.stringify(fence)));
  const { logs } = (await api.ask("GET", `${path}/logs?clip=5`, { token })).json as {
    logs: { clipped?: string[] }[];
  };
  assert.ok(logs[0]?.clipped?.includes("tool_input.attachments.0.text"));
});

test("unusable text files are refused with the field and the bound", async () => {
  const { bytesMax, totalBytesMax, filesMax, nameMax } = attachmentBounds;
  const cases: [attachments: unknown, loc: unknown[], msg: RegExp][] = [
    [[{ name: "a.txt", text: "" }], [0, "text"], /must not be empty/],
    [[{ name: "a.txt", text: "a\u0000b" }], [0, "text"], /NUL/],
    [[{ name: "a.txt", text: "\ud800" }], [0, "text"], /well-formed Unicode/],
    [[{ name: "a.txt", text: "é".repeat(bytesMax / 2 + 1) }], [0, "text"], /at most 262144 bytes/],
    [[{ name: "a.txt", text: "x".repeat(bytesMax + 1) }], [0, "text"], /at most 262144/],
    [[{ name: "a/b.txt", text }], [0, "name"], /must not contain \/ or \\/],
    [[{ name: "a\\b.txt", text }], [0, "name"], /must not contain \/ or \\/],
    [[{ name: "..", text }], [0, "name"], /name of a file/],
    [[{ name: "a\nb", text }], [0, "name"], /control, invisible or direction/],
    [[{ name: "a\u202eb", text }], [0, "name"], /control, invisible or direction/],
    [[{ name: " ", text }], [0, "name"], /must not be empty/],
    [[{ name: "n".repeat(nameMax + 1), text }], [0, "name"], /at most 200 characters/],
    [[{ name: "a", text, media_type: "text" }], [0, "media_type"], /media type/],
    [[{ name: "a", text, media_type: "text/plain;charset=x" }], [0, "media_type"], /without parameters/],
    [[{ name: "a", text, size: 1 }], [0, "size"], /./],
    [
      [
        { name: "a", text },
        { name: "a", text: "y" },
      ],
      [],
      /must name each file once/,
    ],
    [Array.from({ length: filesMax + 1 }, (_, at) => ({ name: `${at}`, text })), [], /at most 10 files/],
    [
      Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, text: "x".repeat(totalBytesMax / 4) })),
      [],
      /total at most 1048576 bytes/,
    ],
    ["a.txt", [], /./],
  ];
  for (const [attachments, loc, msg] of cases) {
    const answered = await create(attachments);
    const { errors } = answered.json as Problem;
    assert.equal(answered.status, 400, answered.text);
    assert.deepEqual(errors[0]?.loc, ["body", "attachments", ...loc], answered.text);
    assert.match(errors[0]?.msg ?? "", msg);
  }
  assert.equal((await create([])).status, 200);
  assert.equal((await create(null)).status, 200);
});

test("the queue names a turn's files without their texts, and an edit replaces them", async () => {
  const largest = Array.from({ length: 4 }, (_, at) => ({ name: `${at}.log`, text: "\u0001".repeat(262_144) }));
  const made = await create(largest);
  assert.equal(made.status, 200, "the largest files that are allowed fit the body, however they are written");
  const path = `${O}/agent/run/${made.json.id}/queue`;
  const named = largest.map(({ name }) => ({ name, media_type: "text/plain", bytes: 262_144 }));
  const queued = async () => ((await api.ask("GET", path, { token })).json.items as Record<string, unknown>[])[0];
  assert.deepEqual((await queued())?.attachments, named);
  const edited = await api.ask("PATCH", `${path}/1`, { token, body: { attachments: [{ name: "ü.csv", text: "ü" }] } });
  assert.deepEqual(edited.json.attachments, [{ name: "ü.csv", media_type: "text/plain", bytes: 2 }]);
  await api.ask("PATCH", `${path}/1`, { token, body: { prompt: "Other words" } });
  assert.equal(((await queued())?.attachments as unknown[] | undefined)?.length, 1);
  await api.ask("PATCH", `${path}/1`, { token, body: { attachments: [] } });
  assert.deepEqual((await queued())?.attachments, []);
});

test("a message for an external agent is in the log with its files", async () => {
  const made = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Look", agent: "external" } });
  const agent_run_id = made.json.id;
  const body = { agent_run_id, prompt: "More", attachments: [{ name: "a.csv", media_type: "text/csv", text: "1,2" }] };
  const resumed = await api.ask("POST", `${O}/agent/run/resume`, { token, body });
  assert.equal(resumed.status, 200, resumed.text);
  const logs = (await api.ask("GET", `${O}/agent/run/${agent_run_id}/logs`, { token })).json.logs as {
    tool_input: unknown;
  }[];
  assert.deepEqual(logs.at(-1)?.tool_input, {
    turn: 2,
    attachments: [{ name: "a.csv", media_type: "text/csv", bytes: 3, text: "1,2" }],
  });
});

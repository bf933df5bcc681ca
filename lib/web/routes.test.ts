// One table with a row for each operation of the API: if it were split, it could not be compared with the list of operations.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { type Answered, ApiUnderTest, type Asked, appDir } from "./api-under-test.ts";
import { checkProblem, locOf } from "./checked-answer.fixture.ts";
import { DescribedAnswers } from "./described-answer.fixture.ts";
import { goodRequests } from "./good-requests.fixture.ts";
import { type RouteNode, readRouteTree } from "./route-tree.ts";

const answers = new DescribedAnswers(JSON.parse(JSON.stringify(buildOpenapi())));
let api: ApiUnderTest;
let goods: ReturnType<typeof goodRequests>;
before(async () => {
  api = await ApiUnderTest.open();
  goods = goodRequests(api);
});
after(() => api.close());

test("every operation has its route with its method, and every route its operation", async () => {
  const routed = new Set<string>();
  collect(await readRouteTree(appDir), "", (path, method, operation) => {
    assert.ok([operation.path, ...operation.aliases].includes(path), `${operation.id} is served at ${path}`);
    routed.add(`${method} ${path}`);
  });
  const described = operations.flatMap((operation) =>
    [operation.path, ...operation.aliases].map((path) => `${operation.method} ${path}`),
  );
  assert.deepEqual([...routed].sort(), described.sort());
});

test("a route answers a Request by itself, as Next calls it, with and without parameters", async () => {
  const { GET: me } = await import("#app/v1/users/me/route.ts");
  const { GET: agents } = await import("#app/v1/organizations/[org_id]/agents/route.ts");
  const request = api.request("GET", "/v1/x", { token: await api.token() });
  assert.equal((await me(request, { params: Promise.resolve(undefined) })).status, 200);
  assert.equal((await agents(request, { params: Promise.resolve({ org_id: "1" }) })).status, 200);
  assert.equal((await agents(request, { params: Promise.resolve({ org_id: "2" }) })).status, 403);
});

type Case = {
  /** Checks the content of the success. */
  check?: (answered: Answered) => void;
  /** Each is 400; without a path, on the path of the success. What is no number or no word of a list is in documented-errors.test.ts. */
  bad?: { path?: string; asked?: Asked; loc?: (string | number)[] }[];
};

type Bad = NonNullable<Case["bad"]>;

const O = "/v1/organizations/1";
/** Retention settings that are refused. */
const badKept: Bad = [
  [{ keep_runs_days: 0 }, "keep_runs_days"],
  [{ keep_runs_days: 3651 }, "keep_runs_days"],
  [{ keep_runs_days: 1.5 }, "keep_runs_days"],
  [{ keep_runs_gb: 0 }, "keep_runs_gb"],
  [{ keep_runs_gb: 100_001 }, "keep_runs_gb"],
  [{ keep_checkouts_days: -1 }, "keep_checkouts_days"],
].map(([body, field]) => ({ asked: { body: Object(body) }, loc: ["body", String(field)] }));
/** Bodies of PUT setup that are refused, each with the field in the error. */
const badSetups: Bad = [
  [{ install: Array.from({ length: 51 }, () => "x") }, ["install"]],
  [{ install: Array.from({ length: 30 }, () => "x"), lint: Array.from({ length: 21 }, () => "x") }, ["lint"]],
  [{ test: ["é".repeat(4097)] }, ["test", 0]],
  [{ build: ["a\u0000b"] }, ["build", 0]],
  [{ build: ["  "] }, ["build", 0]],
  [{ inputs: ["../x"] }, ["inputs", 0]],
  [{ inputs: ["/etc/passwd"] }, ["inputs", 0]],
  [{ inputs: ["a/../../x"] }, ["inputs", 0]],
  [{ inputs: [".git/config"] }, ["inputs", 0]],
  [{ timeout_s: 0 }, ["timeout_s"]],
  [{ timeout_s: 3601 }, ["timeout_s"]],
  [{ env: ["lower"] }, ["env", 0]],
].map(([body, loc]) => ({ asked: { body }, loc: ["body", ...(loc as (string | number)[])] }));
const mcpServer = { name: "a", url: "https://mcp.example" };
/** Bodies of PUT integrations that are refused, each with its type and the field in the error. */
const badConnections: Bad = (
  [
    ["gitlab", {}, ["token"]],
    ["github", { token: "ghs_1" }, ["token"]],
    ["github", { token: "two words" }, ["token"]],
    ["github", { token: "line\nbreak" }, ["token"]],
    ["github", { token: "x".repeat(4097) }, ["token"]],
    ["github", { app_id: 1, installation_id: 2 }, ["private_key"]],
    ["github", { private_key: "-----BEGIN PRIVATE KEY-----", installation_id: 2 }, ["app_id"]],
    ["github", { private_key: "-----BEGIN PRIVATE KEY-----", app_id: 1 }, ["installation_id"]],
    ["github", { private_key: "key", app_id: 1 }, ["private_key"]],
    ["gitlab", { app_id: 1, token: "x" }, ["app_id"]],
    ["gitlab", { token: "x", base_url: "ftp://git.example" }, ["base_url"]],
    ["gitlab", { token: "x", base_url: "https://me:word@git.example" }, ["base_url"]],
    ["gitlab", { token: "x", base_url: "http://192.168.1.1" }, ["base_url"]],
    ["gitlab", { token: "x", base_url: "http://169.254.169.254/latest" }, ["base_url"]],
    ["gitlab", { token: "x", base_url: "https://git.example/?x" }, ["base_url"]],
    ["forgejo", { token: "x", hook_secret: "short" }, ["hook_secret"]],
    ["slack", { token: "x", settings: { mention: "@errand" } }, ["settings", "mention"]],
    ["slack", { token: "x", settings: { repositories: { C1: 999_999 } } }, ["settings", "repositories", "C1"]],
    ["slack", { token: "x", settings: { notify_finished: true } }, ["settings", "channel"]],
    ["github", { token: "x", settings: { repositories: { C1: 1 } } }, ["settings", "repositories"]],
    ["linear", { token: "x", settings: { bots: ["ci"] } }, ["settings", "bots"]],
    ["github", { token: "x", settings: { bots: ["two words"] } }, ["settings", "bots", 0]],
    ["github", { token: "x", settings: { bots: Array.from({ length: 51 }, () => "ci") } }, ["settings", "bots"]],
    ["linear", { token: "x", settings: { channel: "C1" } }, ["settings", "channel"]],
    ["linear", { token: "x", webhook: 1 }, ["webhook"]],
    ["linear", { token: "x", servers: [{ name: "a", url: "https://mcp.example" }] }, ["servers"]],
    ["mcp", {}, ["servers"]],
    ["mcp", { servers: [] }, ["servers"]],
    ["mcp", { token: "x", servers: [{ name: "a", url: "https://mcp.example" }] }, ["token"]],
    ["mcp", { servers: [{ name: "a b", url: "https://mcp.example" }] }, ["servers", 0, "name"]],
    ["mcp", { servers: [{ name: "a", url: "stdio:cat" }] }, ["servers", 0, "url"]],
    ["mcp", { servers: [{ name: "a", url: "http://10.0.0.1/mcp" }] }, ["servers", 0, "url"]],
    ["mcp", { servers: [{ name: "a", url: "http://[::ffff:10.0.0.1]/mcp" }] }, ["servers", 0, "url"]],
    ["mcp", { servers: [{ name: "a", url: "https://mcp.example/?key=x" }] }, ["servers", 0, "url"]],
    ["mcp", { servers: ["a", "A"].map((name) => ({ name, url: "https://mcp.example" })) }, ["servers", 1, "name"]],
    ["mcp", { servers: [{ ...mcpServer, headers: { Host: "x" } }] }, ["servers", 0, "headers", "Host"]],
    ["mcp", { servers: [{ ...mcpServer, headers: { "X-Key": "a\nb" } }] }, ["servers", 0, "headers", "X-Key"]],
    ["mcp", { servers: [{ ...mcpServer, command: "cat" }] }, ["servers", 0, "command"]],
    ["mcp", { servers: Array.from({ length: 21 }, (_, at) => ({ ...mcpServer, name: `s${at}` })) }, ["servers"]],
  ] as const
).map(([type, body, loc]) => ({
  path: `/v1/organizations/1/integrations/${type}`,
  asked: { body },
  loc: ["body", ...loc],
}));
/** Host rules that are refused, each with the field in the error. */
const badRules: Bad = [
  [{}, []],
  [{ rules: [{ host: "*" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "*.com" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "a.test" }, { host: "a.*.test" }] }, ["rules", 1, "host"]],
  [{ rules: [{ host: "https://a.test" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "a.test:80" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "10.0.0.1" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "2130706433" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "::1" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "169.254.169.254" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "*.localhost" }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: " " }] }, ["rules", 0, "host"]],
  [{ rules: [{ host: "a.test", port: 0 }] }, ["rules", 0, "port"]],
  [{ rules: [{ host: "a.test", port: 65_536 }] }, ["rules", 0, "port"]],
  [{ rules: [{ host: "a.test", port: "443" }] }, ["rules", 0, "port"]],
  [{ rules: Array.from({ length: 501 }, (_, at) => ({ host: `a${at}.test` })) }, ["rules"]],
  [{ mode: "open" }, ["mode"]],
].map(([body, loc]) => ({ asked: { body }, loc: ["body", ...(loc as (string | number)[])] }));
/** The same as single changes: `add` in place of `rules`, and hosts to remove. */
const badChanges: Bad = [
  [{}, []],
  [{ add: [{ host: "*" }] }, ["add", 0, "host"]],
  [{ add: [{ host: "a.test" }, { host: "10.0.0.1" }] }, ["add", 1, "host"]],
  [{ remove: [{ host: "https://a.test" }] }, ["remove", 0, "host"]],
  [{ add: [{ host: "a.test", port: 0 }] }, ["add", 0, "port"]],
  [{ add: Array.from({ length: 501 }, (_, at) => ({ host: `a${at}.test` })) }, ["add"]],
  [{ rules: [{ host: "a.test" }] }, ["rules"]],
].map(([body, loc]) => ({ asked: { body }, loc: ["body", ...(loc as (string | number)[])] }));
const page = (answered: Answered) => assert.ok(Array.isArray(answered.json.items) && "total" in answered.json);
const badFilters = [
  { path: "?message_type=ACTION,THOUGHT", loc: ["query", "message_type"] },
  { path: "?prose=2", loc: ["query", "prose"] },
  { path: `?q=${"x".repeat(201)}`, loc: ["query", "q"] },
  { path: "?tool_name=a%00b", loc: ["query", "tool_name"] },
];
const hook = { url: "https://hooks.example/errand" };
const badBans: Bad = [{ asked: { body: { agent_run_id: 1, reason: "x" } }, loc: ["body", "reason"] }];
const thinking = { message_type: "PLAN_EVALUATION", thought: "Think first." };
const onPath = (path: string, bad: Bad) => bad.map((one) => ({ ...one, path: `${path}${one.path ?? ""}` }));

const cases: Record<string, Case> = {
  createRun: {
    check: ({ json }) => {
      assert.equal(json.status, "queued");
      assert.equal(json.agent, "steps");
      assert.equal(json.source_type, "API");
      assert.deepEqual(json.github_pull_requests, []);
      assert.equal(json.web_url, `http://errand.test/runs/${json.id}`);
    },
    bad: [
      { asked: { body: { prompt: "  " } }, loc: ["body", "prompt"] },
      { asked: { body: { prompt: "a", agent: "nobody" } }, loc: ["body", "agent"] },
      { asked: { body: { prompt: "a", base_branch: "-x" } }, loc: ["body", "base_branch"] },
      { asked: { body: { prompt: "a", images: ["http://x"] } }, loc: ["body", "images", 0] },
      { asked: { body: [] }, loc: ["body"] },
      { asked: {} },
    ],
  },
  deleteRun: {
    check: ({ json }) => assert.deepEqual(json.deleted_run_ids, [json.agent_run_id]),
  },
  getRun: {
    check: ({ json }) => assert.equal(json.total_logs, 0),
    bad: [
      { path: `${O}/agent/run/abc`, loc: ["path", "agent_run_id"] },
      { path: `${O}/agent/run/0`, loc: ["path", "agent_run_id"] },
      { path: `${O}/agent/run/1e3`, loc: ["path", "agent_run_id"] },
    ],
  },
  listRuns: {
    check: page,
    bad: onPath(`${O}/agent/runs`, [
      { path: "?limit=0", loc: ["query", "limit"] },
      { path: "?limit=101", loc: ["query", "limit"] },
      { path: "?skip=-1", loc: ["query", "skip"] },
      { path: `?metadata=a=${"x".repeat(256)}`, loc: ["query", "metadata"] },
      { path: "?sort=created_at&before=3", loc: ["query", "before"] },
      { path: "?fields=id,nothing", loc: ["query", "fields"] },
    ]),
  },
  cancelRuns: {
    check: ({ json }) => assert.deepEqual([(json.cancelled_run_ids as number[]).length, json.remaining], [1, 0]),
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { status: ["completed"] } }, loc: ["body", "status", 0] },
      { asked: { body: { agent_run_ids: [] } }, loc: ["body", "agent_run_ids"] },
      { asked: { body: { metadata: {} } }, loc: ["body", "metadata"] },
      { asked: { body: { q: "" } }, loc: ["body", "q"] },
      { asked: { body: { all: true, status: ["queued"] } }, loc: ["body"] },
    ],
  },
  resumeRun: {
    check: ({ json }) => assert.equal(json.turns, 2),
    bad: [{ asked: { body: { agent_run_id: 1, prompt: "" } }, loc: ["body", "prompt"] }],
  },
  cancelRun: {
    check: ({ json }) => assert.equal(json.status, "cancelled"),
  },
  stopRun: {
    check: ({ json }) => assert.equal(json.status, "cancelled"),
    bad: [{ asked: { body: { agent_run_id: "1" } }, loc: ["body", "agent_run_id"] }],
  },
  banRun: {
    check: ({ json }) => {
      assert.deepEqual(Object.keys(json), ["message", "agent_run_id"]);
      assert.match(String(json.message), /^The run is stopped\./);
    },
    bad: badBans,
  },
  removeFromPullRequest: { check: ({ json }) => assert.match(String(json.message), /stopped/), bad: badBans },
  unbanRun: { check: ({ json }) => assert.match(String(json.message), /Nothing was started/), bad: badBans },
  answerQuestion: {
    bad: [{ asked: { body: answer("perhaps") }, loc: ["body", "option_id"] }],
  },
  listQueue: {
    check: ({ json }) => {
      const [turn] = json.items as Record<string, unknown>[];
      assert.deepEqual([json.total, turn?.number, turn?.state, turn?.prompt], [1, 1, "waiting", "Look"]);
    },
  },
  editTurn: {
    check: ({ json }) => {
      assert.deepEqual([json.number, json.prompt, json.image_count, json.revision], [1, "Look twice", 1, 1]);
    },
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { revision: 0 } }, loc: ["body"] },
      { asked: { body: { prompt: " " } }, loc: ["body", "prompt"] },
      { asked: { body: { prompt: "a", revision: -1 } }, loc: ["body", "revision"] },
      { asked: { body: { images: ["http://x"] } }, loc: ["body", "images", 0] },
      { asked: { body: { model: "large" } }, loc: ["body", "model"] },
      { path: `${O}/agent/run/1/queue/0`, asked: { body: { prompt: "a" } }, loc: ["path", "turn"] },
    ],
  },
  withdrawTurn: {
    check: ({ json }) => assert.deepEqual([json.status, json.turns, json.queued_turns], ["cancelled", 0, 0]),
  },
  sendQueue: {
    check: ({ json }) => assert.deepEqual([json.status, json.turns, json.queued_turns], ["queued", 1, 1]),
  },
  getLogs: {
    check: ({ json }) => {
      assert.equal((json.logs as unknown[]).length, 2);
      assert.deepEqual([json.total_logs, json.page, json.size, json.pages], [3, 1, 2, 2]);
    },
    bad: onPath(`${O}/agent/run/1/logs`, [
      { path: "?clip=0", loc: ["query", "clip"] },
      { path: "?skip=1.5", loc: ["query", "skip"] },
      ...badFilters,
    ]),
  },
  getLogPosition: {
    check: ({ json }) => assert.deepEqual(json, { skip: 2, seq: 3, matching_logs: 5, complete: true }),
    bad: onPath(`${O}/agent/run/1/logs/position`, [
      { path: "", loc: ["query", "seq"] },
      { path: "?seq=1&tool_call_id=a", loc: ["query", "seq"] },
      { path: "?seq=0", loc: ["query", "seq"] },
      { path: `?tool_call_id=${"x".repeat(201)}`, loc: ["query", "tool_call_id"] },
      ...badFilters.map((bad) => ({ ...bad, path: `${bad.path}&seq=1` })),
    ]),
  },
  getLogTools: {
    check: ({ json }) => assert.deepEqual(json, { items: [] }),
  },
  getLogEntry: {
    check: ({ json }) => assert.deepEqual([json.seq, json.thought], [2, "thought 2"]),
    bad: [{ path: `${O}/agent/run/1/logs/0`, loc: ["path", "seq"] }],
  },
  getOutline: {
    check: ({ json }) => {
      const at = "2026-01-31T23:59:59.000Z";
      const part = { counts: { PLAN_EVALUATION: 2 }, errors: 0, first_error_seq: null, last_error_seq: null };
      assert.deepEqual(json, {
        total_logs: 5,
        buckets: [
          { from_seq: 1, to_seq: 2, ...part, first_at: at, last_at: at },
          { from_seq: 3, to_seq: 4, ...part, first_at: at, last_at: at },
        ],
      });
    },
    bad: onPath(`${O}/agent/run/1/logs/outline`, [
      { path: "?buckets=0", loc: ["query", "buckets"] },
      { path: "?buckets=301", loc: ["query", "buckets"] },
      { path: "?from_seq=0", loc: ["query", "from_seq"] },
      ...badFilters,
    ]),
  },
  searchRuns: {
    check: (answered) => {
      page(answered);
      assert.equal((answered.json.indexed as { complete: boolean }).complete, true);
    },
    bad: onPath(`${O}/search`, [
      { path: "?q=", loc: ["query", "q"] },
      { path: "?q=+", loc: ["query", "q"] },
      { path: `?q=${"x".repeat(201)}`, loc: ["query", "q"] },
      { path: "?q=a&status=done", loc: ["query", "status"] },
      { path: "?q=a&limit=0", loc: ["query", "limit"] },
      { path: "?q=a&created_after=yesterday", loc: ["query", "created_after"] },
    ]),
  },
  findInLogs: {
    check: ({ json }) => {
      const { indexed_logs: _, ...found } = json;
      const hit = { seq: 4, message_type: "PLAN_EVALUATION", tool_name: null, field: "thought", matches: 1 };
      assert.deepEqual(found, {
        q: "Thought 4",
        total_logs: 5,
        searched_logs: 5,
        complete: true,
        matching_logs: 1,
        matches: 1,
        skip: 0,
        hits: [{ ...hit, snippet: "thought 4", snippet_start: 0, snippet_length: 9 }],
        buckets: [0, 1],
      });
    },
    bad: onPath(`${O}/agent/run/1/logs/search`, [
      { path: "", loc: ["query", "q"] },
      { path: "?q=", loc: ["query", "q"] },
      { path: `?q=${"x".repeat(201)}`, loc: ["query", "q"] },
      { path: "?q=a%00b", loc: ["query", "q"] },
      { path: "?q=a&limit=101", loc: ["query", "limit"] },
      { path: "?q=a&around_seq=0", loc: ["query", "around_seq"] },
      { path: "?q=a&buckets=1001", loc: ["query", "buckets"] },
      { path: "?q=a&wait_ms=20001", loc: ["query", "wait_ms"] },
      { path: "?q=a&hits_wait_ms=20001", loc: ["query", "hits_wait_ms"] },
    ]),
  },
  getTimeline: {
    check: ({ json }) => {
      assert.deepEqual(
        [json.total_logs, (json.parts as unknown[]).length, (json.spans as unknown[]).length],
        [5, 1, 5],
      );
    },
    bad: onPath(`${O}/agent/run/1/logs/timeline`, [
      { path: "?buckets=0", loc: ["query", "buckets"] },
      { path: "?buckets=241", loc: ["query", "buckets"] },
      { path: "?from=2026-01-31T12:00:01Z&to=2026-01-31T12:00:00Z", loc: ["query", "to"] },
    ]),
  },
  getAnalysis: {
    check: ({ json }) => {
      assert.equal(json.entries, 3);
      // A busy machine may still be reading the rest, and then says so.
      assert.ok(json.analysed === 3 || json.partial === true, JSON.stringify(json));
      assert.deepEqual(json.causes, []);
    },
  },
  streamLogs: {
    check: ({ text, headers }) => {
      assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
      assert.match(
        text,
        /^retry: 1000\n\nevent: run\ndata: .*\n\nevent: entry\nid: 1\ndata: .*\n\nevent: end\nid: end-1\ndata: /,
      );
    },
    bad: [{ path: `${O}/agent/run/1/logs/stream?after=-1`, loc: ["query", "after"] }],
  },
  getDiff: {
    check: ({ text, headers }) =>
      assert.deepEqual([text, headers.get("content-type")], ["", "text/x-diff; charset=utf-8"]),
    bad: [{ path: `${O}/agent/run/1/diff?since_turn=-1`, loc: ["query", "since_turn"] }],
  },
  getWorkFile: {
    check: ({ json }) =>
      assert.deepEqual([json.path, json.bytes, json.encoding, json.content], ["a.txt", 4, "utf-8", "two\n"]),
    bad: [
      { path: `${O}/agent/run/1/file`, loc: ["query", "path"] },
      { path: `${O}/agent/run/1/file?path=`, loc: ["query", "path"] },
      { path: `${O}/agent/run/1/file?path=${"a".repeat(4097)}`, loc: ["query", "path"] },
      { path: `${O}/agent/run/1/file?path=a&turn=x`, loc: ["query", "turn"] },
    ],
  },
  pushRun: {
    check: ({ json }) => assert.deepEqual([json.status, json.reason], ["pushed", null]),
  },
  openPullRequest: {
    check: ({ json }) => assert.deepEqual([json.state, json.stage, json.title], ["opening", "weighing", "Fix it"]),
    bad: [
      { asked: { body: { title: " " } }, loc: ["body", "title"] },
      { asked: { body: { title: "x".repeat(251) } }, loc: ["body", "title"] },
      { asked: { body: { title: "two\nlines" } }, loc: ["body", "title"] },
      { asked: { body: { body: "x".repeat(60_001) } }, loc: ["body", "body"] },
      { asked: { body: { base_branch: "a..b" } }, loc: ["body", "base_branch"] },
    ],
  },
  analyzeLogs: {
    check: ({ json }) => assert.equal(json.status, "queued"),
    bad: onPath(`${O}/agent/run/1/analyze-logs`, [
      { asked: { body: { agent: "nobody" } }, loc: ["body", "agent"] },
      { asked: { body: { agent: "external" } }, loc: ["body", "agent"] },
      { asked: { body: { agent: "steps" } }, loc: ["body", "agent"] },
      { asked: { body: { model: "large" } }, loc: ["body", "model"] },
      { asked: { body: { prompt: "Why?" } }, loc: ["body", "prompt"] },
      { asked: { body: { focus: "Why?" } }, loc: ["body", "focus"] },
      { asked: { body: [] }, loc: ["body"] },
    ]),
  },
  analyzeSandboxLogs: {
    check: ({ json }) => assert.equal(json.status, "queued"),
  },
  appendLogs: {
    check: ({ json }) => assert.deepEqual(json, { first_seq: 1, last_seq: 2, total_logs: 2 }),
    bad: [
      { asked: { body: { entries: [] } }, loc: ["body", "entries"] },
      { asked: { body: { entries: Array(1001).fill(thinking) } }, loc: ["body", "entries"] },
      {
        asked: { body: { entries: [thinking, { message_type: "NEWS" }] } },
        loc: ["body", "entries", 1, "message_type"],
      },
      { asked: { body: { entries: [{ message_type: "ACTION" }] } }, loc: ["body", "entries", 0, "tool_name"] },
      { asked: { body: { entries: [{ ...thinking, created_at: "now" }] } }, loc: ["body", "entries", 0, "created_at"] },
    ],
  },
  updateRun: {
    check: ({ json }) => assert.deepEqual([json.status, json.summary], ["running", "All done"]),
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { status: "queued" } }, loc: ["body", "status"] },
    ],
  },
  openClaudeSession: {
    check: ({ json }) => assert.equal(typeof json.agent_run_id, "number"),
    bad: [
      { asked: { body: { session_id: "1" } }, loc: ["body", "session_id"] },
      { asked: { body: { session: "1" } }, loc: ["body", "session"] },
    ],
  },
  logClaudeLine: {
    check: ({ json }) => assert.deepEqual([json.first_seq, json.duplicate, json.left_out], [1, false, null]),
    bad: [
      { asked: { body: { log: {}, more: 1 } }, loc: ["body", "more"] },
      { path: `${O}/claude_code/session/${"x".repeat(201)}/log`, loc: ["path", "session_id"] },
    ],
  },
  reportClaudeStatus: {
    check: ({ json }) => assert.equal(json.status, "completed"),
    bad: [{ asked: { body: { status: "completed" } }, loc: ["body", "status"] }],
  },
  postTelemetryLogs: {
    check: ({ json }) => assert.deepEqual([json.success, json.received_count], [true, 1]),
    bad: [{ asked: { body: [] }, loc: ["body"] }],
  },
  postTelemetryMetrics: {
    check: ({ json }) => assert.deepEqual([json.success, json.received_count], [true, 0]),
    bad: [{ asked: { body: "5", headers: { "content-type": "application/json" } }, loc: ["body"] }],
  },
  postTelemetryTraces: {
    check: ({ json }) => assert.deepEqual([json.success, json.received_count], [true, 0]),
    bad: [{ asked: { body: [] }, loc: ["body"] }],
  },
  getTelemetryHealth: {
    check: ({ json }) => assert.equal(json.status, "healthy"),
  },
  listTelemetry: {
    check: ({ json }) => assert.deepEqual([json.total, json.dropped, (json.items as unknown[]).length], [1, 0, 1]),
    bad: [{ path: `${O}/agent/run/1/telemetry?limit=0`, loc: ["query", "limit"] }],
  },
  getClaudeSession: {
    check: ({ json }) => assert.deepEqual([json.status, json.lines, json.left_out], ["ACTIVE", 0, []]),
    bad: [{ path: `${O}/claude_code/session/${"x".repeat(201)}`, loc: ["path", "session_id"] }],
  },
  exportRun: {
    check: ({ json, headers }) => {
      assert.equal((json.logs as unknown[]).length, 2);
      assert.match(
        headers.get("content-disposition") ?? "",
        /^attachment; filename="errand-run-\d+-look-around\.json"$/,
      );
    },
    bad: [{ path: `${O}/agent/run/1/export?format=pdf`, loc: ["query", "format"] }],
  },
  createShare: {
    check: ({ json }) => {
      assert.match(String(json.url), /^http:\/\/errand\.test\/share\/[0-9A-Za-z]{32}$/);
      assert.deepEqual([json.from_seq, json.to_seq, json.outputs, json.views], [1, 9, false, 0]);
      assert.equal(Date.parse(String(json.expires_at)) - Date.parse(String(json.created_at)) > 29 * 86_400_000, true);
    },
    bad: [
      { asked: { body: { from_seq: 0 } }, loc: ["body", "from_seq"] },
      { asked: { body: { from_seq: 5, to_seq: 4 } }, loc: ["body", "to_seq"] },
      { asked: { body: { days: 0 } }, loc: ["body", "days"] },
      { asked: { body: { days: 366 } }, loc: ["body", "days"] },
    ],
  },
  previewShare: {
    check: ({ json }) => assert.deepEqual([json.logs, json.complete], [2, true]),
    bad: onPath(`${O}/agent/run/1/shares/preview`, [
      { path: "?from_seq=0", loc: ["query", "from_seq"] },
      { path: "?after_seq=-1", loc: ["query", "after_seq"] },
    ]),
  },
  listShares: {
    check: page,
  },
  deleteShare: {
    check: ({ json }) => assert.equal(json.views, 0),
  },
  getSharedRun: {
    check: ({ json }) => assert.equal(json.total_logs, 3),
    bad: [{ path: "/v1/shares/x?view=maybe", loc: ["query", "view"] }],
  },
  getSharedLogs: {
    check: ({ json }) => assert.deepEqual([(json.logs as unknown[]).length, json.total_logs, json.pages], [2, 3, 2]),
    bad: onPath("/v1/shares/x/logs", [{ path: "?clip=0", loc: ["query", "clip"] }]),
  },
  getSharedEntry: {
    check: ({ json }) => assert.deepEqual([json.seq, json.thought], [2, "thought 2"]),
    bad: [{ path: "/v1/shares/x/logs/0", loc: ["path", "seq"] }],
  },
  getSharedOutline: {
    check: ({ json }) => assert.deepEqual([json.total_logs, (json.buckets as unknown[]).length], [3, 2]),
    bad: [{ path: "/v1/shares/x/logs/outline?buckets=0", loc: ["query", "buckets"] }],
  },
  getSharedPosition: {
    check: ({ json }) => assert.deepEqual([json.skip, json.seq, json.matching_logs], [1, 2, 3]),
    bad: [{ path: "/v1/shares/x/logs/position", loc: ["query", "seq"] }],
  },
  getSharedTools: {
    check: ({ json }) => assert.deepEqual(json.items, []),
  },
  getSharedTimeline: {
    check: ({ json }) => assert.equal(json.total_logs, 3),
    bad: [{ path: "/v1/shares/x/logs/timeline?buckets=0", loc: ["query", "buckets"] }],
  },
  findInSharedLogs: {
    check: ({ json }) => assert.deepEqual([json.complete, json.matching_logs], [true, 3]),
    bad: [{ path: "/v1/shares/x/logs/search", loc: ["query", "q"] }],
  },
  streamSharedLogs: {
    check: ({ text }) => assert.match(text, /event: entry\nid: 3\n.*\n\nevent: end\nid: end-\d+\n/),
    bad: [{ path: "/v1/shares/x/logs/stream?after=-1", loc: ["query", "after"] }],
  },
  listRepositories: {
    check: page,
  },
  createRepository: {
    check: ({ json }) => {
      assert.deepEqual([json.name, json.full_name], ["project", "owner/project"]);
      assert.deepEqual([json.source, json.default_branch], ["/srv/git/owner/project.git", "main"]);
    },
    bad: [
      { asked: { body: { source: "" } }, loc: ["body", "source"] },
      { asked: { body: { source: "/broken" } }, loc: ["body", "source"] },
    ],
  },
  getRepository: {
    check: ({ json }) => assert.equal(json.github_id, ""),
  },
  updateRepository: {
    check: ({ json }) => {
      assert.deepEqual([json.name, json.full_name, json.description], ["shop", "shop", "The shop's web site"]);
      assert.equal(json.fetch_submodules, true);
    },
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { name: " " } }, loc: ["body", "name"] },
      { asked: { body: { description: "x".repeat(1001) } }, loc: ["body", "description"] },
      { asked: { body: { default_branch: "next" } }, loc: ["body", "default_branch"] },
    ],
  },
  getNetwork: {
    check: ({ json }) => {
      assert.deepEqual([json.network, Array.isArray(json.rules)], ["allowed", true]);
      assert.ok(JSON.stringify(json.built_in).includes("registry.npmjs.org"));
    },
  },
  putNetwork: {
    check: ({ json }) => {
      assert.match(
        JSON.stringify(json.rules),
        /"[0-9a-f-]{36}\.example\.com","port":8443.*"\*\.example\.com","port":null/,
      );
    },
    bad: [...badRules, { asked: { body: { network: null } }, loc: ["body", "network"] }],
  },
  getRepositoryNetwork: {
    check: ({ json }) => assert.deepEqual(json, { network: null, in_force: "allowed", rules: [] }),
  },
  putRepositoryNetwork: {
    check: ({ json }) => assert.deepEqual([json.network, json.in_force], ["open", "open"]),
    bad: [...badRules],
  },
  changeNetwork: {
    check: ({ json }) => assert.match(JSON.stringify(json.rules), /"[0-9a-f-]{36}\.example\.com","port":null/),
    bad: badChanges,
  },
  changeRepositoryNetwork: {
    check: ({ json }) => {
      assert.deepEqual([json.network, json.in_force], ["allowed", "allowed"]);
      assert.match(JSON.stringify(json.rules), /"[0-9a-f-]{36}\.example\.com","port":8443/);
    },
    bad: [...badChanges],
  },
  listRecentDenials: {
    check: ({ json }) => assert.deepEqual(json, { items: [] }),
    bad: [{ path: `${O}/network/denials?repo_id=x`, loc: ["query", "repo_id"] }],
  },
  listDenials: {
    check: ({ json }) => assert.deepEqual(json, { items: [] }),
  },
  listKeys: {
    check: ({ json }) => assert.ok(Array.isArray(json.items)),
  },
  putKey: {
    check: ({ json, text }) => {
      assert.equal(json.variable, "MODEL_API_KEY");
      assert.ok(!text.includes("sk-of-the-model"));
    },
    bad: (
      [
        [{ variable: "MODEL_API_KEY" }, "value"],
        [{ value: "sk-of-the-model" }, "variable"],
        [{ variable: "model_key", value: "sk-of-the-model" }, "variable"],
        [{ variable: "A-B", value: "sk-of-the-model" }, "variable"],
        [{ variable: "MODEL_API_KEY", value: "short" }, "value"],
        [{ variable: "MODEL_API_KEY", value: "two words here" }, "value"],
        [{ variable: "MODEL_API_KEY", value: "x".repeat(4097) }, "value"],
        [{ variable: "MODEL_API_KEY", value: 12_345_678 }, "value"],
        [{ variable: "MODEL_API_KEY", value: "sk-of-the-model", repo_id: "x" }, "repo_id"],
      ] as const
    ).map(([body, field]) => ({ asked: { body }, loc: ["body", field] })),
  },
  deleteKey: {
    check: ({ json }) => assert.deepEqual([json.variable, json.repository_id], ["MODEL_API_KEY", null]),
  },
  getCheckSuiteSettings: {
    check: ({ json }) => assert.deepEqual(json, { ...checkSuiteDefaults, available_check_suite_names: [] }),
    bad: onPath(`${O}/repos/check-suite-settings`, [{ path: "", loc: ["query", "repo_id"] }]),
  },
  putCheckSuiteSettings: {
    check: ({ json }) =>
      assert.deepEqual(json, {
        check_retry_count: 0,
        ignored_checks: ["coverage"],
        check_retry_counts: { lint: 10 },
        custom_prompts: { lint: "Run npm run format." },
        high_priority_apps: [],
        available_check_suite_names: [],
      }),
    bad: (
      [
        [{ check_retry_count: 11 }, ["check_retry_count"]],
        [{ check_retry_count: -1 }, ["check_retry_count"]],
        [{ check_retry_count: 1.5 }, ["check_retry_count"]],
        [{ ignored_checks: "lint" }, ["ignored_checks"]],
        [{ ignored_checks: [""] }, ["ignored_checks", 0]],
        [{ ignored_checks: Array.from({ length: 201 }, (_, index) => `c${index}`) }, ["ignored_checks"]],
        [{ check_retry_counts: { lint: 11 } }, ["check_retry_counts", "lint"]],
        [{ check_retry_counts: { ["x".repeat(201)]: 1 } }, ["check_retry_counts", "x".repeat(201)]],
        [{ custom_prompts: { lint: 1 } }, ["custom_prompts", "lint"]],
        [{ custom_prompts: { lint: "x".repeat(10_001) } }, ["custom_prompts", "lint"]],
        [{ high_priority_apps: ["a\u0000b"] }, ["high_priority_apps", 0]],
        [{ retries: 1 }, ["retries"]],
      ] as const
    ).map(([body, loc]) => ({ asked: { body }, loc: ["body", ...loc] })),
  },
  getPullSettings: {
    check: ({ json }) =>
      assert.deepEqual(json, {
        ...pullSettingsDefaults,
        signing_key: null,
        target: { kind: "folder", type: null, connected: false, account: null, account_kind: null },
      }),
  },
  putPullSettings: {
    check: ({ json }) => assert.deepEqual([json.mode, json.base_branch, json.draft], ["off", "next", true]),
    bad: [
      { asked: { body: { base_branch: "a b" } }, loc: ["body", "base_branch"] },
      { asked: { body: { commit_email: "nobody" } }, loc: ["body", "commit_email"] },
      { asked: { body: { commit_name: "a <b>" } }, loc: ["body", "commit_name"] },
    ],
  },
  editPullRequest: {
    check: ({ json }) => assert.deepEqual([json.success, json.state, json.title], [false, "open", "Fix it"]),
  },
  editRepositoryPullRequest: {
    check: ({ json }) => assert.deepEqual([json.success, json.state, json.title], [false, "open", "Fix it"]),
  },
  deleteRepository: {
    check: ({ json }) => assert.equal(json.deleted_runs, 0),
  },
  listBranches: {
    check: ({ json }) => assert.deepEqual(json, { default_branch: "main", branches: ["main", "next"] }),
  },
  getSetup: {
    check: ({ json, headers }) => {
      assert.deepEqual([json.version, json.install, json.proposal], [0, [], null]);
      assert.match(headers.get("etag") ?? "", /^W\/"v0-/);
    },
  },
  acceptSetup: {
    check: ({ json }) => {
      assert.deepEqual([json.setup_status, json.install, json.timeout_s], ["ready", ["npm ci"], 600]);
      assert.deepEqual([json.accepted_by, json.accepted_by_name], [1, "Owner"]);
    },
    bad: badSetups,
  },
  deleteSetup: {
    check: ({ json }) => assert.deepEqual([json.setup_status, json.install, json.accepted_at], ["none", [], null]),
  },
  discardProposal: {
    check: ({ json }) => assert.equal(json.proposal, null),
  },
  rebuildSetup: {
    check: ({ json }) => assert.deepEqual([json.install, json.prepared], [["npm ci"], []]),
  },
  generateSetup: {
    check: ({ json }) => {
      assert.equal(json.status, "queued");
      assert.equal(json.url, `http://errand.test/runs/${json.agent_run_id}`);
    },
    bad: [
      { asked: { body: { repo_id: 1, prompt: "é".repeat(8193) } }, loc: ["body", "prompt"] },
      { asked: { body: { repo_id: 1, agent: "nobody" } }, loc: ["body", "agent"] },
      { asked: { body: { repo_id: 1, agent: "external" } }, loc: ["body", "agent"] },
    ],
  },
  getIsolation: {
    check: ({ json }) => assert.deepEqual(json, { machine: null }),
  },
  listAgents: {
    check: ({ json }) => assert.ok(Array.isArray(json.items)),
  },
  signInToAgent: {
    check: ({ json }) => assert.deepEqual([json.method, json.state, json.error], ["account", "waiting", null]),
  },
  listIntegrations: {
    check: ({ json }) => {
      assert.equal(json.organization_name, "Home");
      const listed = json.integrations as { integration_type: string; active: boolean; metadata: { reason: string } }[];
      assert.deepEqual(
        listed.slice(0, 7).map((one) => one.integration_type),
        ["github", "gitlab", "forgejo", "slack", "linear", "mcp", "webhook"],
      );
      assert.equal(json.total_active_integrations, listed.filter(({ active }) => active).length);
      for (const { active, metadata } of listed) assert.equal(typeof metadata.reason, active ? "object" : "string");
    },
  },
  putIntegration: {
    check: ({ json, text }) => {
      const { reason, has_token, settings } = json.metadata as Record<string, unknown>;
      assert.deepEqual([json.integration_type, json.active, has_token], ["github", false, true]);
      assert.match(String(reason), /^Nothing answers at "127\.0\.0\.1:9"/);
      assert.equal((settings as { mention: string }).mention, "robot");
      assert.ok(!text.includes("ghp_1"), "a secret is never given back");
    },
    bad: badConnections,
  },
  deleteIntegration: {
    check: ({ json }) => assert.deepEqual([json.active, json.token_id], [false, null]),
  },
  testIntegration: {
    check: ({ json }) => {
      const { checked_at, reason } = json.metadata as Record<string, unknown>;
      assert.ok(Date.now() - Date.parse(String(checked_at)) < 60_000);
      assert.match(String(reason), /^Nothing answers/);
    },
  },
  listLinks: {
    check: ({ json }) => assert.equal((json.items as { user_name: string }[])[0]?.user_name, "Owner"),
  },
  putLink: {
    check: ({ json }) => assert.deepEqual([json.external_id, json.user_id, json.user_name], ["U2", 1, "Owner"]),
    bad: [
      { asked: { body: { external_id: "", user_id: 1 } }, loc: ["body", "external_id"] },
      { asked: { body: { external_id: "U2", user_id: 999_999 } }, loc: ["body", "user_id"] },
    ],
  },
  deleteLink: {
    check: ({ json }) => assert.deepEqual(json, { external_id: "U1" }),
  },
  createLinkCode: {
    check: ({ json }) => assert.match(String(json.say), /^@errand link [0-9A-Za-z]{32}$/),
  },
  receiveEvent: {
    check: ({ json }) => assert.deepEqual(json, { accepted: false, duplicate: false }),
  },
  listModels: {
    check: ({ json }) => assert.deepEqual(json, { providers: [], default_model: "" }),
  },
  listTools: {
    check: ({ json }) => {
      const listed = json.tools as { name: string; parameters: { type: string } }[];
      assert.deepEqual([json.total_count, listed.length], [7, 7]);
      assert.ok(listed.every(({ parameters }) => parameters.type === "object"));
    },
  },
  executeTool: {
    check: ({ json }) => {
      assert.deepEqual([json.success, json.error, json.tool_name], [true, null, "start_run"]);
      assert.equal((json.result as { status: string }).status, "queued");
    },
    bad: (
      [
        [{}, ["tool_name"]],
        [{ tool_name: "delete_everything" }, ["tool_name"]],
        [{ tool_name: "start_run" }, ["arguments", "prompt"]],
        [{ tool_name: "start_run", arguments: { prompt: " " } }, ["arguments", "prompt"]],
        [{ tool_name: "start_run", arguments: { prompt: "x", promt: "y" } }, ["arguments", "promt"]],
        [{ tool_name: "start_run", arguments: [] }, ["arguments"]],
        [{ tool_name: "get_run", arguments: { agent_run_id: "1" } }, ["arguments", "agent_run_id"]],
        [{ tool_name: "read_log", arguments: { agent_run_id: 1, limit: 101 } }, ["arguments", "limit"]],
        [{ tool_name: "list_runs", repo_id: 0 }, ["repo_id"]],
      ] as const
    ).map(([body, loc]) => ({ asked: { body }, loc: ["body", ...loc] })),
  },
  generateSlackToken: {
    check: ({ json }) => {
      assert.equal(json.expires_in_minutes, 10);
      assert.equal(json.message, `Write "@errand link ${json.token}" to the bot in Slack.`);
    },
  },
  listMcpProviders: { check: ({ text }) => assert.equal(text, "[]") },
  listOAuthTokens: {
    check: ({ text }) => assert.equal(text, "[]"),
    bad: onPath("/v1/oauth/tokens/status", [{ loc: ["query", "org_id"] }]),
  },
  revokeOAuthToken: {
    check: ({ json }) => assert.deepEqual([json.provider, json.revoked], ["github", 0]),
    bad: onPath("/v1/oauth/tokens/revoke", [
      { path: "?org_id=1", loc: ["query", "provider"] },
      { path: "?provider=&org_id=1", loc: ["query", "provider"] },
    ]),
  },
  listOrganizations: {
    check: ({ json }) => assert.deepEqual([json.total, (json.items as { id: number }[])[0]?.id], [1, 1]),
  },
  createOrganization: {
    check: ({ json }) => assert.deepEqual([json.name, Number(json.id) > 2], ["Another", true]),
    bad: [
      { asked: { body: { name: " " } }, loc: ["body", "name"] },
      { asked: { body: { name: "x".repeat(101) } }, loc: ["body", "name"] },
    ],
  },
  findRunOrganization: {
    check: ({ json }) => assert.deepEqual([json.id, json.name], [1, "Home"]),
  },
  getSession: {
    check: ({ json }) =>
      assert.deepEqual([(json.organization as { id: number }).id, json.is_instance_owner], [1, true]),
  },
  chooseOrganization: {
    check: ({ json }) => assert.equal((json.organization as { id: number }).id, 1),
  },
  getSettings: {
    check: ({ json }) => assert.deepEqual([json.name, json.enable_pr_creation, json.rules], ["Home", true, null]),
  },
  changeSettings: {
    check: ({ json }) => assert.deepEqual([json.name, json.default_turn_timeout_s], ["Home", 600]),
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { name: " " } }, loc: ["body", "name"] },
      { asked: { body: { rules: "x".repeat(20_001) } }, loc: ["body", "rules"] },
      { asked: { body: { default_turn_timeout_s: 59 } }, loc: ["body", "default_turn_timeout_s"] },
      { asked: { body: { default_agent: "nobody" } }, loc: ["body", "default_agent"] },
      { asked: { body: { default_model: "large" } }, loc: ["body", "default_model"] },
      { asked: { body: { default_models: { nobody: "large" } } }, loc: ["body", "default_models", "nobody"] },
      { asked: { body: { default_models: { steps: "" } } }, loc: ["body", "default_models", "steps"] },
      { asked: { body: { default_modes: { nobody: "plan" } } }, loc: ["body", "default_modes", "nobody"] },
      { asked: { body: { default_modes: { steps: "plan" } } }, loc: ["body", "default_modes", "steps"] },
      { asked: { body: { enable_prs: true } }, loc: ["body", "enable_prs"] },
    ],
  },
  getStorage: {
    check: ({ json }) => assert.ok(Array.isArray(json.repositories)),
  },
  previewRetention: {
    check: ({ json }) => assert.deepEqual(json, { runs: 0, run_bytes: 0, checkouts: 0, checkout_bytes: 0 }),
    bad: badKept,
  },
  getCliRules: {
    check: ({ json }) => assert.deepEqual(Object.keys(json), ["organization_rules", "user_custom_prompt"]),
  },
  getMe: {
    check: ({ json }) => assert.deepEqual([json.id, json.role, json.is_admin], [1, "owner", true]),
  },
  listUsers: {
    check: ({ json }) => assert.equal(json.total, 1),
  },
  getUser: {
    check: ({ json }) => assert.equal(json.full_name, "Owner"),
  },
  listAudit: {
    check: page,
    bad: onPath(`${O}/audit`, [
      { path: "?user_id=0", loc: ["query", "user_id"] },
      { path: "?format=csv&page=2", loc: ["query", "page"] },
    ]),
  },
  updateMember: {
    check: ({ json }) => assert.equal(json.role, "member"),
  },
  removeMember: {
    check: ({ json }) => assert.equal(json.role, "admin"),
  },
  createPasswordReset: {
    check: ({ json }) => assert.equal(json.url, `http://errand.test/reset/${json.code}`),
  },
  getPasswordReset: {
    check: ({ json }) => assert.equal(json.full_name, "A member"),
  },
  resetPassword: {
    check: ({ headers }) => assert.match(headers.get("set-cookie") ?? "", /^errand_session=[\w-]{43};/),
    bad: [
      { asked: { body: { password: "too short" } }, loc: ["body", "password"] },
      { asked: { body: { password: "x".repeat(201) } }, loc: ["body", "password"] },
    ],
  },
  listInvitations: {
    check: (answered) => {
      page(answered);
      assert.ok(!answered.text.includes('"code"'));
    },
  },
  createInvitation: {
    check: ({ json }) => assert.match(String(json.url), /^http:\/\/errand\.test\/invite\/[0-9A-Za-z]{32}$/),
    bad: [
      { asked: { body: { days: 0 } }, loc: ["body", "days"] },
      { asked: { body: { days: 31 } }, loc: ["body", "days"] },
      { asked: { body: { days: 1.5 } }, loc: ["body", "days"] },
      { asked: { body: { note: "x".repeat(101) } }, loc: ["body", "note"] },
    ],
  },
  deleteInvitation: {
    check: ({ json }) => assert.equal(json.note, "Grace"),
  },
  getInvitation: {
    check: ({ json }) => assert.deepEqual([json.organization_name, json.role], ["Home", "member"]),
  },
  acceptInvitation: {
    check: ({ json, headers }) => {
      assert.equal((json.user as { role: string }).role, "member");
      assert.match(headers.get("set-cookie") ?? "", /^errand_session=[\w-]{43};/);
    },
    // The path of the success is used up: these belong to another invitation.
  },
  updateMe: {
    check: ({ json }) => assert.equal(json.full_name, "Ada Lovelace"),
  },
  changePassword: {
    check: ({ json }) => assert.deepEqual(json.sign_in_ways, ["password"]),
  },
  listSessions: {
    check: ({ json }) =>
      assert.deepEqual(
        (json.items as { current: boolean }[]).map(({ current }) => current),
        [true],
      ),
  },
  endOtherSessions: {
    check: ({ json }) => assert.equal(json.ended, 0),
  },
  listTokens: {
    check: page,
  },
  createToken: {
    check: ({ json }) => assert.match(String(json.token), /^errand_[0-9A-Za-z]{36}$/),
    bad: [
      { asked: { body: { name: "" } }, loc: ["body", "name"] },
      { asked: { body: { name: "x", role: "viewer", scopes: ["runs:write"] } }, loc: ["body", "scopes"] },
      { asked: { body: { name: "x", days: 0 } }, loc: ["body", "days"] },
    ],
  },
  deleteToken: {
    check: ({ json }) => assert.equal(json.name, "old"),
  },
  setWebhook: {
    check: ({ json }) => {
      assert.equal(json.has_secret, true);
      assert.match(String(json.secret), /^whsec_/);
      assert.deepEqual(json.events, ["run.waiting", "run.finished"]);
    },
    bad: [
      [{ url: "" }, ["url"]],
      [{ url: "hooks.example" }, ["url"]],
      [{ url: "ftp://hooks.example" }, ["url"]],
      [{ url: "https://me:word@hooks.example" }, ["url"]],
      [{ url: `https://hooks.example/${"x".repeat(2083)}` }, ["url"]],
      [{ url: "http://10.0.0.1/" }, ["url"]],
      [{ url: "http://[::ffff:192.168.0.1]/" }, ["url"]],
      [{ ...hook, secret: "" }, ["secret"]],
      [{ ...hook, secret: "a\u0000b" }, ["secret"]],
      [{ ...hook, secret: "x".repeat(257) }, ["secret"]],
      [{ ...hook, events: [] }, ["events"]],
      [{ ...hook, events: ["run.ended"] }, ["events", 0]],
      [{ ...hook, events: ["run.started", "run.started"] }, ["events"]],
      [{ ...hook, rotate_secret: true, secret: "mine" }, ["rotate_secret"]],
      [{ ...hook, unknown: 1 }, ["unknown"]],
    ].map(([body, loc]) => ({ asked: { body }, loc: ["body", ...(loc as (string | number)[])] })),
  },
  deleteWebhook: { check: ({ json }) => assert.equal(json.url, null) },
  testWebhook: {
    check: ({ json }) => {
      assert.deepEqual([json.delivered, json.status], [false, null]);
      assert.match(String(json.error), /^Nothing answers at "127.0.0.1:9"/);
    },
    bad: [
      { asked: { body: { url: "http://192.168.1.1/" } }, loc: ["body", "url"] },
      { asked: { body: { ...hook, secret: "a\u0000b" } }, loc: ["body", "secret"] },
    ],
  },
  createWebhookEndpoint: {
    check: ({ json }) => {
      assert.match(String(json.secret), /^whsec_/);
      assert.deepEqual([json.is_default, json.enabled, json.events], [false, true, ["run.started"]]);
    },
    bad: [
      { asked: { body: { url: "http://10.0.0.1/" } }, loc: ["body", "url"] },
      { asked: { body: { ...hook, description: "x".repeat(201) } }, loc: ["body", "description"] },
    ],
  },
  updateWebhookEndpoint: {
    check: ({ json }) => assert.deepEqual([json.url, json.events], ["https://hooks.example/errand", ["run.waiting"]]),
    bad: [
      { asked: { body: { url: "http://10.0.0.1/" } }, loc: ["body", "url"] },
      { asked: { body: { rotate_secret: true, secret: "mine" } }, loc: ["body", "rotate_secret"] },
    ],
  },
  listEvents: {
    check: ({ json }) => assert.equal((json.items as { type: string }[])[0]?.type, "run.finished"),
    bad: onPath(`${O}/events`, [{ path: "?limit=0", loc: ["query", "limit"] }]),
  },
  listDeliveries: {
    check: page,
  },
  resendDelivery: {
    check: ({ json }) => assert.equal(json.state, "pending"),
  },
  signIn: {
    check: ({ json, headers }) => {
      assert.equal((json.user as { id: number }).id, 1);
      assert.match(
        headers.get("set-cookie") ?? "",
        /^errand_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      );
    },
    bad: [{ asked: { body: { code: "wrong" } }, loc: ["body", "code"] }],
  },
  signInWithPassword: {
    check: ({ json }) => assert.equal((json.user as { full_name: string }).full_name, "A member"),
    bad: [
      { asked: { body: { email: "nobody@errand.test", password: "x" } }, loc: ["body", "password"] },
      { asked: { body: { email: "a", password: "x".repeat(201) } }, loc: ["body", "password"] },
    ],
  },
  getOidc: {
    check: ({ json }) => assert.deepEqual(json, { enabled: true, name: "Pretended" }),
  },
  startOidc: {
    check: ({ json }) => assert.match(String(json.url), /^https:\/\/provider\.example\/\?state=[\w-]{43}$/),
  },
  finishOidc: {
    check: ({ json, headers }) => {
      assert.equal((json.user as { full_name: string }).full_name, "Somebody");
      assert.match(headers.get("set-cookie") ?? "", /^errand_session=/);
    },
    bad: [{ asked: { body: { query: "code=x&state=y", browser_secret: "z" } }, loc: ["body", "query"] }],
  },
  signOut: {
    check: ({ json, headers }) => {
      assert.deepEqual(json, { signed_out: true });
      assert.match(headers.get("set-cookie") ?? "", /^errand_session=; Path=\/; Max-Age=0/);
    },
  },
  getOpenapi: {
    check: ({ json }) => assert.equal(json.openapi, "3.1.1"),
  },
  getHealth: {
    check: ({ json }) => assert.deepEqual(json, { status: "ok" }),
  },
  getReadiness: {
    check: ({ json }) => assert.equal(typeof json.engines, "number"),
  },
};

for (const operation of operations) {
  test(`${operation.id}: what a success contains, and which input is refused`, async () => {
    const [given, good] = [cases[operation.id], goods[operation.id]];
    assert.ok(good !== undefined, `${operation.id} has a request in good-requests.fixture.ts`);
    const { method } = operation;
    const token = await api.token();
    const { path, asked } = await good();

    const answered = await api.ask(method, path, { token, ...asked });
    assert.equal(answered.status, 200, answered.text);
    assert.match(answered.headers.get("x-request-id") ?? "", /^[\w.-]{1,64}$/);
    assert.equal(answered.headers.get("x-errand-stability"), operation.stability);
    assert.equal(answers.problemOf(operation, answered), null);
    given?.check?.(answered);

    for (const bad of given?.bad ?? []) {
      const refused = await api.ask(method, bad.path ?? path, { token, ...bad.asked });
      checkProblem(refused, 400);
      assert.equal(answers.problemOf(operation, refused), null);
      if (bad.loc !== undefined) assert.deepEqual(locOf(refused), bad.loc);
    }
  });
}

function collect(
  node: RouteNode,
  path: string,
  visit: (path: string, method: string, operation: AnyOperation) => void,
): void {
  for (const [method, endpoint] of node.route ?? []) visit(path, method, endpoint.operation);
  for (const [name, child] of node.children) collect(child, `${path}/${name}`, visit);
  if (node.parameter !== null) collect(node.parameter.node, `${path}/{${node.parameter.name}}`, visit);
}

function answer(option: string): object {
  return { question_id: "q", option_id: option };
}

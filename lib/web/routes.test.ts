// One table, a row for each operation of the API: split, it could no longer be held against the list of operations.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { type Answered, ApiUnderTest, type Asked, appDir } from "./api-under-test.ts";
import { type RouteNode, readRouteTree } from "./route-tree.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
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
  /** What makes it succeed. */
  good: () => Promise<{ path: string; asked?: Asked }>;
  /** What the success must hold. */
  check?: (answered: Answered) => void;
  /** Each is 400. */
  bad: { path?: string; asked?: Asked; loc?: (string | number)[] }[];
  /** Each is 404. */
  missing?: { path: string; asked?: Asked }[];
  /** A caller of this organization without the scope, where the operation has one. */
  without?: "viewer" | "no scopes";
};

const O = "/v1/organizations/1";
const page = (answered: Answered) => assert.ok(Array.isArray(answered.json.items) && "total" in answered.json);
const noPaging = [
  { path: "?limit=0", loc: ["query", "limit"] },
  { path: "?limit=101", loc: ["query", "limit"] },
  { path: "?skip=-1", loc: ["query", "skip"] },
  { path: "?limit=ten", loc: ["query", "limit"] },
];
const badFilters = [
  { path: "?message_type=ACTION,THOUGHT", loc: ["query", "message_type"] },
  { path: "?message_type=action", loc: ["query", "message_type"] },
  { path: "?errors=yes", loc: ["query", "errors"] },
  { path: "?prose=2", loc: ["query", "prose"] },
  { path: `?q=${"x".repeat(201)}`, loc: ["query", "q"] },
  { path: "?tool_name=a%00b", loc: ["query", "tool_name"] },
];
const thinking = { message_type: "PLAN_EVALUATION", thought: "Think first." };
const onPath = (path: string, bad: Case["bad"]) => bad.map((one) => ({ ...one, path: `${path}${one.path ?? ""}` }));

const cases: Record<string, Case> = {
  createRun: {
    good: async () => ({ path: `${O}/agent/run`, asked: { body: { prompt: "Look around" } } }),
    check: ({ json }) => {
      assert.equal(json.status, "queued");
      assert.equal(json.agent, "steps");
      assert.equal(json.source_type, "API");
      assert.deepEqual(json.github_pull_requests, []);
      assert.equal(json.web_url, `http://errand.test/runs/${json.id}`);
    },
    bad: [
      { asked: { body: {} }, loc: ["body", "prompt"] },
      { asked: { body: { prompt: "  " } }, loc: ["body", "prompt"] },
      { asked: { body: { prompt: 7 } }, loc: ["body", "prompt"] },
      { asked: { body: { prompt: "a", agent: "nobody" } }, loc: ["body", "agent"] },
      { asked: { body: { prompt: "a", base_branch: "-x" } }, loc: ["body", "base_branch"] },
      { asked: { body: { prompt: "a", images: ["http://x"] } }, loc: ["body", "images", 0] },
      { asked: { body: [] }, loc: ["body"] },
      { asked: {} },
    ],
    missing: [{ path: `${O}/agent/run`, asked: { body: { prompt: "a", repo_id: 99 } } }],
    without: "viewer",
  },
  getRun: {
    good: async () => ({ path: `${O}/agent/run/${(await api.run()).id}` }),
    check: ({ json }) => assert.equal(json.total_logs, 0),
    bad: [
      { path: `${O}/agent/run/abc`, loc: ["path", "agent_run_id"] },
      { path: `${O}/agent/run/0`, loc: ["path", "agent_run_id"] },
      { path: `${O}/agent/run/1e3`, loc: ["path", "agent_run_id"] },
    ],
    missing: [{ path: `${O}/agent/run/999999` }],
    without: "no scopes",
  },
  listRuns: {
    good: async () => ({ path: `${O}/agent/runs?status=completed&status=PAUSED,failed&page=2&size=10&q=x&unknown=1` }),
    check: page,
    bad: onPath(`${O}/agent/runs`, [
      ...noPaging,
      { path: "?status=done", loc: ["query", "status"] },
      { path: "?created_after=yesterday", loc: ["query", "created_after"] },
      { path: "?repo_id=x", loc: ["query", "repo_id"] },
    ]),
    without: "no scopes",
  },
  resumeRun: {
    good: async () => ({
      path: `${O}/agent/run/resume`,
      asked: { body: { agent_run_id: (await api.run()).id, prompt: "more" } },
    }),
    check: ({ json }) => assert.equal(json.turns, 2),
    bad: [
      { asked: { body: { prompt: "more" } }, loc: ["body", "agent_run_id"] },
      { asked: { body: { agent_run_id: 1, prompt: "" } }, loc: ["body", "prompt"] },
    ],
    missing: [{ path: `${O}/agent/run/resume`, asked: { body: { agent_run_id: 999_999, prompt: "more" } } }],
    without: "viewer",
  },
  cancelRun: {
    good: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/cancel` }),
    check: ({ json }) => assert.equal(json.status, "cancelled"),
    bad: [{ path: `${O}/agent/run/x/cancel`, loc: ["path", "agent_run_id"] }],
    missing: [{ path: `${O}/agent/run/999999/cancel` }],
    without: "viewer",
  },
  stopRun: {
    good: async () => ({
      path: "/v1/beta/organizations/1/agent/run/stop",
      asked: { body: { agent_run_id: (await api.run()).id } },
    }),
    check: ({ json }) => assert.equal(json.status, "cancelled"),
    bad: [{ asked: { body: { agent_run_id: "1" } }, loc: ["body", "agent_run_id"] }],
    missing: [{ path: "/v1/beta/organizations/1/agent/run/stop", asked: { body: { agent_run_id: 999_999 } } }],
    without: "viewer",
  },
  answerQuestion: {
    good: async () => ({ path: `${O}/agent/run/${await askingRun()}/answer`, asked: { body: answer("allow") } }),
    bad: [
      { asked: { body: answer("perhaps") }, loc: ["body", "option_id"] },
      { asked: { body: { question_id: "q" } }, loc: ["body", "option_id"] },
    ],
    missing: [{ path: `${O}/agent/run/999999/answer`, asked: { body: answer("allow") } }],
    without: "viewer",
  },
  getLogs: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(3)}/logs?limit=2` }),
    check: ({ json }) => {
      assert.equal((json.logs as unknown[]).length, 2);
      assert.deepEqual([json.total_logs, json.page, json.size, json.pages], [3, 1, 2, 2]);
    },
    bad: onPath(`${O}/agent/run/1/logs`, [
      ...noPaging,
      { path: "?reverse=maybe", loc: ["query", "reverse"] },
      { path: "?clip=0", loc: ["query", "clip"] },
      { path: "?skip=1.5", loc: ["query", "skip"] },
      ...badFilters,
    ]),
    missing: [{ path: `${O}/agent/run/999999/logs` }],
    without: "no scopes",
  },
  getLogPosition: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(5)}/logs/position?seq=3` }),
    check: ({ json }) => assert.deepEqual(json, { skip: 2, seq: 3, matching_logs: 5, complete: true }),
    bad: onPath(`${O}/agent/run/1/logs/position`, [
      { path: "", loc: ["query", "seq"] },
      { path: "?seq=1&tool_call_id=a", loc: ["query", "seq"] },
      { path: "?seq=0", loc: ["query", "seq"] },
      { path: `?tool_call_id=${"x".repeat(201)}`, loc: ["query", "tool_call_id"] },
      ...badFilters.map((bad) => ({ ...bad, path: `${bad.path}&seq=1` })),
    ]),
    missing: [{ path: `${O}/agent/run/999999/logs/position?seq=1` }],
    without: "no scopes",
  },
  getLogTools: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(2)}/logs/tools` }),
    check: ({ json }) => assert.deepEqual(json, { items: [] }),
    bad: [{ path: `${O}/agent/run/x/logs/tools`, loc: ["path", "agent_run_id"] }],
    missing: [{ path: `${O}/agent/run/999999/logs/tools` }],
    without: "no scopes",
  },
  getLogEntry: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(2)}/logs/2` }),
    check: ({ json }) => assert.deepEqual([json.seq, json.thought], [2, "thought 2"]),
    bad: [{ path: `${O}/agent/run/1/logs/0`, loc: ["path", "seq"] }],
    missing: [{ path: `${O}/agent/run/1/logs/77` }, { path: `${O}/agent/run/999999/logs/1` }],
    without: "no scopes",
  },
  getOutline: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(5)}/logs/outline?buckets=2&to_seq=4` }),
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
      { path: "?to_seq=last", loc: ["query", "to_seq"] },
      ...badFilters,
    ]),
    missing: [{ path: `${O}/agent/run/999999/logs/outline` }],
    without: "no scopes",
  },
  searchRuns: {
    good: async () => {
      await runWithEntries(3);
      return { path: `${O}/search?q=thought+3&status=running&page=1&size=5` };
    },
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
    without: "no scopes",
  },
  findInLogs: {
    good: async () => ({
      path: `${O}/agent/run/${await runWithEntries(5)}/logs/search?q=Thought+4&around_seq=2&buckets=2&wait_ms=20000`,
    }),
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
    missing: [{ path: `${O}/agent/run/999999/logs/search?q=a` }],
    without: "no scopes",
  },
  getTimeline: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(5)}/logs/timeline?buckets=2&skip_idle=true` }),
    check: ({ json }) => {
      assert.deepEqual(
        [json.total_logs, (json.parts as unknown[]).length, (json.spans as unknown[]).length],
        [5, 1, 5],
      );
    },
    bad: onPath(`${O}/agent/run/1/logs/timeline`, [
      { path: "?buckets=0", loc: ["query", "buckets"] },
      { path: "?buckets=241", loc: ["query", "buckets"] },
      { path: "?from=yesterday", loc: ["query", "from"] },
      { path: "?from=2026-01-31T12:00:01Z&to=2026-01-31T12:00:00Z", loc: ["query", "to"] },
      { path: "?skip_idle=perhaps", loc: ["query", "skip_idle"] },
    ]),
    missing: [{ path: `${O}/agent/run/999999/logs/timeline` }],
    without: "no scopes",
  },
  streamLogs: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(1)}/logs/stream` }),
    check: ({ text, headers }) => {
      assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
      assert.match(text, /^retry: 1000\n\nevent: run\ndata: .*\n\nevent: entry\nid: 1\ndata: .*\n\nevent: end\ndata: /);
    },
    bad: [{ path: `${O}/agent/run/1/logs/stream?after=-1`, loc: ["query", "after"] }],
    missing: [{ path: `${O}/agent/run/999999/logs/stream` }],
    without: "no scopes",
  },
  getDiff: {
    good: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/diff` }),
    check: ({ text, headers }) =>
      assert.deepEqual([text, headers.get("content-type")], ["", "text/x-diff; charset=utf-8"]),
    bad: [{ path: `${O}/agent/run/x/diff`, loc: ["path", "agent_run_id"] }],
    missing: [{ path: `${O}/agent/run/999999/diff` }],
    without: "no scopes",
  },
  appendLogs: {
    good: async () => ({
      path: `${O}/agent/run/${await externalRun()}/logs`,
      asked: { body: { entries: [{ message_type: "USER_MESSAGE", observation: "Go" }, thinking] } },
    }),
    check: ({ json }) => assert.deepEqual(json, { first_seq: 1, last_seq: 2, total_logs: 2 }),
    bad: [
      { asked: { body: {} }, loc: ["body", "entries"] },
      { asked: { body: { entries: [] } }, loc: ["body", "entries"] },
      { asked: { body: { entries: Array(1001).fill(thinking) } }, loc: ["body", "entries"] },
      {
        asked: { body: { entries: [thinking, { message_type: "NEWS" }] } },
        loc: ["body", "entries", 1, "message_type"],
      },
      { asked: { body: { entries: [{ message_type: "ACTION" }] } }, loc: ["body", "entries", 0, "tool_name"] },
      { asked: { body: { entries: [{ ...thinking, created_at: "now" }] } }, loc: ["body", "entries", 0, "created_at"] },
    ],
    missing: [{ path: `${O}/agent/run/999999/logs`, asked: { body: { entries: [thinking] } } }],
    without: "viewer",
  },
  updateRun: {
    good: async () => ({
      path: `${O}/agent/run/${await externalRun()}`,
      asked: { body: { status: "running", result: "# All done\n\nIt works." } },
    }),
    check: ({ json }) => assert.deepEqual([json.status, json.summary], ["running", "All done"]),
    bad: [
      { asked: { body: {} }, loc: ["body"] },
      { asked: { body: { status: "queued" } }, loc: ["body", "status"] },
      { asked: { body: { result: 7 } }, loc: ["body", "result"] },
    ],
    missing: [{ path: `${O}/agent/run/999999`, asked: { body: { status: "completed" } } }],
    without: "viewer",
  },
  exportRun: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(2)}/export` }),
    check: ({ json, headers }) => {
      assert.equal((json.logs as unknown[]).length, 2);
      assert.match(
        headers.get("content-disposition") ?? "",
        /^attachment; filename="errand-run-\d+-look-around\.json"$/,
      );
    },
    bad: [
      { path: `${O}/agent/run/x/export`, loc: ["path", "agent_run_id"] },
      { path: `${O}/agent/run/1/export?format=pdf`, loc: ["query", "format"] },
    ],
    missing: [{ path: `${O}/agent/run/999999/export?format=html` }],
    without: "no scopes",
  },
  createShare: {
    good: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/shares`, asked: { body: { to_seq: 9 } } }),
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
      { asked: { body: { outputs: "yes" } }, loc: ["body", "outputs"] },
    ],
    missing: [{ path: `${O}/agent/run/999999/shares`, asked: { body: {} } }],
    without: "viewer",
  },
  previewShare: {
    good: async () => ({ path: `${O}/agent/run/${await runWithEntries(3)}/shares/preview?from_seq=2` }),
    check: ({ json }) => assert.deepEqual([json.logs, json.complete], [2, true]),
    bad: onPath(`${O}/agent/run/1/shares/preview`, [
      { path: "?from_seq=0", loc: ["query", "from_seq"] },
      { path: "?outputs=maybe", loc: ["query", "outputs"] },
      { path: "?after_seq=-1", loc: ["query", "after_seq"] },
    ]),
    missing: [{ path: `${O}/agent/run/999999/shares/preview` }],
    without: "viewer",
  },
  listShares: {
    good: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/shares` }),
    check: page,
    bad: onPath(`${O}/agent/run/1/shares`, noPaging),
    missing: [{ path: `${O}/agent/run/999999/shares` }],
    without: "viewer",
  },
  deleteShare: {
    good: async () => ({ path: `${O}/shares/${(await share()).id}` }),
    check: ({ json }) => assert.equal(json.views, 0),
    bad: [{ path: `${O}/shares/x`, loc: ["path", "share_id"] }],
    missing: [{ path: `${O}/shares/99999` }],
    without: "viewer",
  },
  getSharedRun: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}` }),
    check: ({ json }) => assert.equal(json.total_logs, 3),
    bad: [{ path: "/v1/shares/x?view=maybe", loc: ["query", "view"] }],
    missing: [{ path: "/v1/shares/x" }],
  },
  getSharedLogs: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs?limit=2` }),
    check: ({ json }) => assert.deepEqual([(json.logs as unknown[]).length, json.total_logs, json.pages], [2, 3, 2]),
    bad: onPath("/v1/shares/x/logs", [...noPaging, { path: "?clip=0", loc: ["query", "clip"] }]),
    missing: [{ path: "/v1/shares/x/logs" }],
  },
  getSharedEntry: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/2` }),
    check: ({ json }) => assert.deepEqual([json.seq, json.thought], [2, "thought 2"]),
    bad: [{ path: "/v1/shares/x/logs/0", loc: ["path", "seq"] }],
    missing: [{ path: "/v1/shares/x/logs/1" }],
  },
  getSharedOutline: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/outline?buckets=2` }),
    check: ({ json }) => assert.deepEqual([json.total_logs, (json.buckets as unknown[]).length], [3, 2]),
    bad: [{ path: "/v1/shares/x/logs/outline?buckets=0", loc: ["query", "buckets"] }],
    missing: [{ path: "/v1/shares/x/logs/outline" }],
  },
  getSharedPosition: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/position?seq=2` }),
    check: ({ json }) => assert.deepEqual([json.skip, json.seq, json.matching_logs], [1, 2, 3]),
    bad: [{ path: "/v1/shares/x/logs/position", loc: ["query", "seq"] }],
    missing: [{ path: "/v1/shares/x/logs/position?seq=1" }],
  },
  getSharedTools: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/tools` }),
    check: ({ json }) => assert.deepEqual(json.items, []),
    bad: [],
    missing: [{ path: "/v1/shares/x/logs/tools" }],
  },
  getSharedTimeline: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/timeline?buckets=2` }),
    check: ({ json }) => assert.equal(json.total_logs, 3),
    bad: [{ path: "/v1/shares/x/logs/timeline?buckets=0", loc: ["query", "buckets"] }],
    missing: [{ path: "/v1/shares/x/logs/timeline" }],
  },
  findInSharedLogs: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/search?q=thought` }),
    check: ({ json }) => assert.deepEqual([json.complete, json.matching_logs], [true, 3]),
    bad: [{ path: "/v1/shares/x/logs/search", loc: ["query", "q"] }],
    missing: [{ path: "/v1/shares/x/logs/search?q=a" }],
  },
  streamSharedLogs: {
    good: async () => ({ path: `/v1/shares/${(await share()).token}/logs/stream` }),
    check: ({ text }) => assert.match(text, /event: entry\nid: 3\n.*\n\nevent: end\n/),
    bad: [{ path: "/v1/shares/x/logs/stream?after=-1", loc: ["query", "after"] }],
    missing: [{ path: "/v1/shares/x/logs/stream" }],
  },
  listRepositories: {
    good: async () => ({ path: `${O}/repos?q=errand` }),
    check: page,
    bad: onPath(`${O}/repos`, noPaging),
    without: "no scopes",
  },
  createRepository: {
    good: async () => ({ path: `${O}/repos`, asked: { body: { source: "/srv/git/owner/project.git/" } } }),
    check: ({ json }) => {
      assert.deepEqual([json.name, json.full_name], ["project", "owner/project"]);
      assert.deepEqual([json.source, json.default_branch], ["/srv/git/owner/project.git", "main"]);
    },
    bad: [
      { asked: { body: { source: "" } }, loc: ["body", "source"] },
      { asked: { body: { source: "/broken" } }, loc: ["body", "source"] },
    ],
    without: "viewer",
  },
  getRepository: {
    good: async () => ({ path: `${O}/repos/${await repository()}` }),
    check: ({ json }) => assert.equal(json.github_id, ""),
    bad: [{ path: `${O}/repos/x`, loc: ["path", "repo_id"] }],
    missing: [{ path: `${O}/repos/99` }],
    without: "no scopes",
  },
  listBranches: {
    good: async () => ({ path: `${O}/repos/${await repository()}/branches` }),
    check: ({ json }) => assert.deepEqual(json, { default_branch: "main", branches: ["main", "next"] }),
    bad: [{ path: `${O}/repos/x/branches`, loc: ["path", "repo_id"] }],
    missing: [{ path: `${O}/repos/99/branches` }],
    without: "no scopes",
  },
  listAgents: {
    good: async () => ({ path: `${O}/agents` }),
    check: ({ json }) => assert.ok(Array.isArray(json.items)),
    bad: [{ path: "/v1/organizations/x/agents", loc: ["path", "org_id"] }],
    without: "no scopes",
  },
  listOrganizations: {
    good: async () => ({ path: "/v1/organizations" }),
    check: ({ json }) => assert.deepEqual([json.total, (json.items as { id: number }[])[0]?.id], [1, 1]),
    bad: onPath("/v1/organizations", noPaging),
  },
  getMe: {
    good: async () => ({ path: "/v1/users/me" }),
    check: ({ json }) => assert.deepEqual([json.id, json.role, json.is_admin], [1, "owner", true]),
    bad: [],
  },
  listUsers: {
    good: async () => ({ path: `${O}/users` }),
    check: ({ json }) => assert.equal(json.total, 1),
    bad: onPath(`${O}/users`, noPaging),
    without: "no scopes",
  },
  getUser: {
    good: async () => ({ path: `${O}/users/1` }),
    check: ({ json }) => assert.equal(json.full_name, "Owner"),
    bad: [{ path: `${O}/users/x`, loc: ["path", "user_id"] }],
    missing: [{ path: `${O}/users/2` }],
    without: "no scopes",
  },
  listTokens: {
    good: async () => ({ path: `${O}/tokens` }),
    check: page,
    bad: onPath(`${O}/tokens`, noPaging),
    without: "no scopes",
  },
  createToken: {
    good: async () => ({ path: `${O}/tokens`, asked: { body: { name: "ci", role: "viewer", days: 3 } } }),
    check: ({ json }) => assert.match(String(json.token), /^errand_[0-9A-Za-z]{36}$/),
    bad: [
      { asked: { body: { name: "" } }, loc: ["body", "name"] },
      { asked: { body: { name: "x", role: "king" } }, loc: ["body", "role"] },
      { asked: { body: { name: "x", role: "viewer", scopes: ["runs:write"] } }, loc: ["body", "scopes"] },
      { asked: { body: { name: "x", days: 0 } }, loc: ["body", "days"] },
    ],
    without: "no scopes",
  },
  deleteToken: {
    good: async () => {
      const made = await api.ask("POST", `${O}/tokens`, { token: await api.token(), body: { name: "old" } });
      return { path: `${O}/tokens/${made.json.id}` };
    },
    check: ({ json }) => assert.equal(json.name, "old"),
    bad: [{ path: `${O}/tokens/x`, loc: ["path", "token_id"] }],
    missing: [{ path: `${O}/tokens/99999` }],
    without: "no scopes",
  },
  signIn: {
    good: async () => ({ path: "/v1/session", asked: { body: { code: await signInCode() } } }),
    check: ({ json, headers }) => {
      assert.equal((json.user as { id: number }).id, 1);
      assert.match(
        headers.get("set-cookie") ?? "",
        /^errand_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      );
    },
    bad: [
      { asked: { body: { code: "wrong" } }, loc: ["body", "code"] },
      { asked: { body: {} }, loc: ["body", "code"] },
    ],
  },
  signOut: {
    good: async () => ({ path: "/v1/session" }),
    check: ({ json, headers }) => {
      assert.deepEqual(json, { signed_out: true });
      assert.match(headers.get("set-cookie") ?? "", /^errand_session=; Path=\/; Max-Age=0/);
    },
    bad: [],
  },
  getOpenapi: {
    good: async () => ({ path: "/v1/openapi.json" }),
    check: ({ json }) => assert.equal(json.openapi, "3.1.1"),
    bad: [],
  },
  getHealth: {
    good: async () => ({ path: "/healthz" }),
    check: ({ json }) => assert.deepEqual(json, { status: "ok" }),
    bad: [],
  },
  getReadiness: {
    good: async () => ({ path: "/readyz" }),
    check: ({ json }) => assert.equal(typeof json.engines, "number"),
    bad: [],
  },
};

for (const operation of operations) {
  test(`${operation.id}: success, and 400, 401, 403 and 404 where they can be`, async () => {
    const given = cases[operation.id];
    assert.ok(given !== undefined, `${operation.id} has a case`);
    const { method } = operation;
    const token = await api.token();
    const { path, asked } = await given.good();

    const good = await api.ask(method, path, { token, ...asked });
    assert.equal(good.status, 200, good.text);
    assert.match(good.headers.get("x-request-id") ?? "", /^[\w.-]{1,64}$/);
    assert.equal(good.headers.get("x-errand-stability"), operation.stability);
    if (operation.resultType === "application/json") operation.result.parse(good.json);
    given.check?.(good);

    for (const bad of given.bad) {
      const answered = await api.ask(method, bad.path ?? path, { token, ...bad.asked });
      problem(answered, 400);
      if (bad.loc !== undefined) assert.deepEqual(locOf(answered), bad.loc);
    }
    for (const missing of given.missing ?? []) {
      problem(await api.ask(method, missing.path, { token, ...missing.asked }), 404);
    }
    if (operation.scope !== null) await refusals(operation, path, asked, given.without);
  });
}

async function refusals(operation: AnyOperation, path: string, asked: Asked | undefined, without: Case["without"]) {
  const { method } = operation;
  for (const authorization of [undefined, "Bearer", "Basic abc", "Bearer errand_wrong", `Bearer ${await revoked()}`]) {
    const headers = { ...asked?.headers, ...(authorization === undefined ? {} : { authorization }) };
    const answered = await api.ask(method, path, { ...asked, headers });
    problem(answered, 401);
    assert.match(answered.headers.get("www-authenticate") ?? "", /^Bearer/);
  }
  if (!operation.path.includes("{org_id}")) return;
  const foreign = await api.token("owner", { access: api.other });
  for (const [token, place] of [
    [foreign, path],
    [await api.token(), path.replace("/organizations/1", "/organizations/2")],
    [await api.token(), path.replace("/organizations/1", "/organizations/77")],
  ] as const) {
    const answered = await api.ask(method, place, { ...asked, token });
    problem(answered, 403);
    assert.equal(answered.json.detail, "You do not have access to this organization.");
  }
  assert.ok(without !== undefined, `${operation.id} says who lacks its scope`);
  const weak =
    without === "viewer" ? await api.token("viewer") : await api.token("owner", { scopes: ["ingest:write"] });
  problem(await api.ask(method, path, { ...asked, token: weak }), 403);
}

/** Checks the whole form of an error (api.md, "Errors"). */
function problem(answered: Answered, status: number): void {
  const { json, headers } = answered;
  assert.equal(answered.status, status, answered.text);
  assert.equal(headers.get("content-type"), "application/problem+json; charset=utf-8");
  assert.deepEqual(
    [json.status, json.status_code, json.message, json.request_id],
    [status, status, json.detail, headers.get("x-request-id")],
  );
  for (const key of ["type", "title", "detail", "instance", "code"]) assert.equal(typeof json[key], "string", key);
}

function locOf(answered: Answered): unknown {
  return (answered.json.errors as { loc: unknown }[] | undefined)?.[0]?.loc;
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

async function emptyQueue(): Promise<void> {
  for (;;) {
    const claimed = await api.store.queue.claim("engine", 60_000);
    if (claimed === null) return;
    await api.finish(claimed.lease);
  }
}

async function runWithEntries(count: number): Promise<number> {
  await emptyQueue();
  const { run, lease } = await api.liveRun(count);
  await api.finish(lease);
  return run.id;
}

async function share(): Promise<{ id: number; token: string }> {
  const path = `${O}/agent/run/${await runWithEntries(3)}/shares`;
  const { json } = await api.ask("POST", path, { token: await api.token(), body: {} });
  return { id: Number(json.id), token: String(json.token) };
}

async function externalRun(): Promise<number> {
  const body = { prompt: "Elsewhere", agent: "external" };
  const { json } = await api.ask("POST", `${O}/agent/run`, { token: await api.token(), body });
  return Number(json.id);
}

function answer(option: string): object {
  return { question_id: "q", option_id: option };
}

async function askingRun(): Promise<number> {
  await emptyQueue();
  const { run, lease } = await api.liveRun();
  await api.store.queue.setQuestion(lease, {
    id: "q",
    title: "Write a file",
    tool_name: null,
    tool_input: null,
    options: [{ id: "allow", name: "Allow", kind: "allow_once" }],
    asked_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  return run.id;
}

async function repository(): Promise<number> {
  const { repository } = await api.store.repositories.add(api.home, {
    name: "errand",
    fullName: "o/errand",
    description: null,
    source: "/srv/errand",
    defaultBranch: null,
  });
  return repository.id;
}

async function revoked(): Promise<string> {
  const token = await api.token();
  const { items } = await api.store.tokens.list(api.home, {}, { skip: 0, limit: 1 });
  await api.store.tokens.revoke(api.home, items[0]?.id ?? 0, {});
  return token;
}

async function signInCode(): Promise<string> {
  const { mintSignInCode } = await import("#lib/auth/sign-in-code.ts");
  const { code, hash } = mintSignInCode();
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await api.store.sessions.createLink({ hash, userId: 1, expiresAt });
  return code;
}

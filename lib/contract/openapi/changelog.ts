/**
 * Meaning of a change for clients. `added`: nothing to do; `changed`: a response or a rule differs; `deprecated`: still works,
 * until `sunset`; `removed`: no longer works. A fix that makes the API do what was already described is not listed.
 */
export type ChangeKind = "added" | "changed" | "deprecated" | "removed";

/** One change of the API that a client can notice. */
export type Change = {
  /** Permanent anchor on /docs/changelog, unique: lower-case words joined by hyphens. */
  id: string;
  /** Day it reached the main branch, YYYY-MM-DD, in UTC. */
  date: string;
  kind: ChangeKind;
  /** Ids of the affected operations, in the order of the documentation. Never empty. A removed one is no longer described. */
  operations: readonly string[];
  /** One or two plain sentences; Markdown code spans, nothing else. */
  words: string;
  /** For a deprecation: the day from which it may stop working, YYYY-MM-DD. */
  sunset?: string;
};

/**
 * Changes of the API, newest first. Anyone who adds or changes an operation adds a line here; a test finds deprecations without an
 * entry.
 */
export const changelog: readonly Change[] = [
  {
    id: "digits-of-numbers",
    date: "2026-12-01",
    kind: "changed",
    operations: ["createRun", "getRun", "getLogs", "exportRun", "appendLogs"],
    words:
      "Numbers in entries and in `metadata` keep the digits with which they were sent, everywhere: long ids, `1e400`, `-0`. Before, whole numbers beyond 2^53 - 1 in `metadata` were refused.",
  },
  {
    id: "fields-given-twice",
    date: "2026-12-01",
    kind: "changed",
    operations: ["createRun", "appendLogs"],
    words:
      "A body in which an object has the same field twice is refused with 400 `json_invalid`: one of the two values would be lost.",
  },
  {
    id: "failed-turns",
    date: "2026-12-01",
    kind: "added",
    operations: ["getRun", "listRuns"],
    words:
      "A run has `failed_turns`: how many of its turns ended in failure. It also counts failures in runs that were continued and then completed.",
  },
  {
    id: "search-cursor",
    date: "2026-11-30",
    kind: "added",
    operations: ["searchRuns"],
    words:
      "`cursor` continues a search whose page was full or whose time ran out; null: nothing is left. Prompts are searched too, including those of external runs.",
  },
  {
    id: "texts-of-entries",
    date: "2026-11-30",
    kind: "changed",
    operations: ["searchRuns", "findInLogs", "exportRun", "findInSharedLogs"],
    words:
      "The text of an entry is what a reader sees: output as a terminal would finally show it, most field names, `exit N`, and type and size in place of media.",
  },
  {
    id: "case-of-letters",
    date: "2026-11-30",
    kind: "changed",
    operations: ["searchRuns", "findInLogs", "findInSharedLogs"],
    words:
      "In entries, case is ignored by Unicode's simple case folding, and `İ` and `ı` count as `i`: `istanbul` finds `İSTANBUL`, and `οδος` finds `ΟΔΟΣ`.",
  },
  {
    id: "tags-of-logs",
    date: "2026-11-30",
    kind: "changed",
    operations: ["getLogs", "getDiff"],
    words:
      "Operations on logs have the tag `Run logs`, those on changes and pull requests `Changes and pull requests`: generators may name classes after tags.",
  },
  {
    id: "etag-of-changed-webhooks",
    date: "2026-11-30",
    kind: "added",
    operations: ["setWebhook", "updateWebhookEndpoint"],
    words: "The response has the `ETag` that a GET then returns.",
  },
  {
    id: "whole-totals",
    date: "2026-11-30",
    kind: "changed",
    operations: ["listRuns"],
    words:
      "With `before`, `total`, `page` and `pages` count all runs that match the other filters, not only the older ones.",
  },
  {
    id: "run-filters",
    date: "2026-11-30",
    kind: "added",
    operations: ["listRuns", "searchRuns", "cancelRuns"],
    words:
      "Lists of runs take `metadata=name=value` (so does the search), `sort` and `fields`; `POST agent/runs/cancel` cancels up to 1,000 runs that match a filter.",
  },
  {
    id: "webhook-endpoints",
    date: "2026-11-30",
    kind: "added",
    operations: [
      "testWebhook",
      "listWebhookEndpoints",
      "createWebhookEndpoint",
      "getWebhookEndpoint",
      "updateWebhookEndpoint",
      "deleteWebhookEndpoint",
      "listEvents",
      "listDeliveries",
      "resendDelivery",
    ],
    words:
      "An organization can have several webhooks, each with its own events and secret; `GET events` lists what happened in the last 30 days, for clients that were away.",
  },
  {
    id: "described-events",
    date: "2026-11-30",
    kind: "changed",
    operations: ["streamLogs", "startOidc", "finishOidc"],
    words:
      "openapi.json describes webhooks and the data of stream events (`x-events`), and names every response. Without a sign-in provider, OpenID Connect gives 409 instead of 503.",
  },
  {
    id: "preconditions",
    date: "2026-11-30",
    kind: "changed",
    operations: ["updateRun", "updateRepository", "acceptSetup", "changeSettings"],
    words:
      "A change whose `If-Match` names another state is refused with 412 (before: 409, or not checked). Reads in JSON have an `ETag`, lists too.",
  },
  {
    id: "people-without-github",
    date: "2026-11-30",
    kind: "changed",
    operations: ["getMe", "listUsers", "getUser"],
    words:
      "For tokens with `status_style: reference`, people without `github_user_id` or `github_username` get their id or name there: clients of the reference service leave out people without them.",
  },
  {
    id: "no-agent-ready",
    date: "2026-11-30",
    kind: "changed",
    operations: ["createRun"],
    words:
      "Unless `steps` is named or the default, a prompt without fenced code blocks is refused with 409 `no_agent_ready` if no agent with a model is ready.",
  },
  {
    id: "keys-everywhere",
    date: "2026-11-30",
    kind: "added",
    operations: [
      "answerQuestion",
      "createShare",
      "executeTool",
      "createOrganization",
      "createInvitation",
      "createToken",
    ],
    words:
      "Every POST that creates something takes an Idempotency-Key; others accept or refuse one. A first response has `Idempotency-Replayed: false`. The order of JSON fields may differ (up to 1 MB).",
  },
  {
    id: "next-page",
    date: "2026-11-29",
    kind: "added",
    operations: ["listRuns"],
    words:
      'Pages of lists have `Link` with `rel="next"`. A list of runs takes `before`, the id of a run, so that no run is repeated when new ones are created between two requests.',
  },
  {
    id: "cross-origin",
    date: "2026-11-29",
    kind: "added",
    operations: ["createRun", "getRun", "listRuns"],
    words:
      "Pages of other origins may use the API with a token, if the installation names them in `ERRAND_CORS_ORIGINS`.",
  },
  {
    id: "telemetry-traces",
    date: "2026-11-29",
    kind: "added",
    operations: ["postTelemetryLogs", "postTelemetryMetrics", "postTelemetryTraces"],
    words:
      "Exporters of traces get an answer instead of a 404: spans are not stored, as `partialSuccess` says. Answers in JSON have it for events and metrics too.",
  },
  {
    id: "any-webhook-secret",
    date: "2026-11-29",
    kind: "changed",
    operations: ["createRun", "setWebhook"],
    words:
      "The secret of a webhook may be any text of 1 to 256 characters. If `whsec_` is not followed by base64 of 24 to 64 bytes, the text is used as it is instead of being refused.",
  },
  {
    id: "stream-end-id",
    date: "2026-11-29",
    kind: "changed",
    operations: ["streamLogs", "streamSharedLogs"],
    words:
      "The event `end` has an id. Reconnecting with it gives 204, unless the run has gone on, and a browser's EventSource then stops. An unreadable `Last-Event-ID` gives 400.",
  },
  {
    id: "unknown-input",
    date: "2026-11-29",
    kind: "changed",
    operations: ["createRun", "listRuns", "resumeRun"],
    words:
      "An unknown query parameter gives a 400, as an unknown field does. For a token with `status_style: reference`, operations of the reference service ignore both and name them in `X-Errand-Ignored`.",
  },
  {
    id: "log-reads-own-window",
    date: "2026-11-29",
    kind: "changed",
    operations: ["getLogs", "streamLogs"],
    words:
      "Reads of a log have their own limit: other requests no longer use up its 60 in 60 s. The `detail` of a 429 names the limit that was reached; `message` stays as it was.",
  },
  {
    id: "settings-if-match",
    date: "2026-11-29",
    kind: "added",
    operations: ["getSettings", "changeSettings"],
    words:
      "The settings of an organization have an `ETag`. A change with `If-Match` is refused with 409 if they have changed since.",
  },
  {
    id: "push-measures-changes",
    date: "2026-11-28",
    kind: "changed",
    operations: ["pushRun"],
    words:
      "A push fetches the repository and measures the run's `changes` again, as the evaluation before a pull request does.",
  },
  {
    id: "work-left-out",
    date: "2026-11-28",
    kind: "changed",
    operations: ["createRun", "getRun", "listRuns"],
    words:
      "A run has `work_left_out`: how much work its checkout holds that its branch does not. Its log names it, now with repositories inside, other branches, the stash and ignored files.",
  },
  {
    id: "moving-base",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getRun", "listRuns", "getDiff", "getWorkFile"],
    words:
      "`changes` and the diff no longer count what a run merged from its base branch or was rebased onto. `changes` has `base_commit`, `head_commit`, `compared_with` and `in_base_branch`.",
  },
  {
    id: "key-warnings",
    date: "2026-11-28",
    kind: "changed",
    operations: ["listKeys", "putKey", "deleteKey"],
    words:
      "A key has `warning`: why its value is a bad one, such as a common word, which is masked in ordinary text too.",
  },
  {
    id: "pieces-of-keys",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getLogs", "streamLogs", "getDiff", "getWorkFile"],
    words:
      "Any 12 characters of what is random in a stored key are masked, even if line breaks or colors interrupt them, and in the form that a command decodes the key to.",
  },
  {
    id: "submodules",
    date: "2026-11-28",
    kind: "changed",
    operations: ["listRepositories", "createRepository", "getRepository", "updateRepository"],
    words:
      "A repository has `fetch_submodules`, off by default: checkouts of new runs then get the files of its submodules.",
  },
  {
    id: "replies-given-up",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getLogs", "openPullRequest", "listIntegrations"],
    words:
      "A reply that the other service refuses for good ends at once, with an error `reply_not_sent` in the log and in `metadata.reason`. Texts sent by Errand run no commands and mention nobody else.",
  },
  {
    id: "share-inputs",
    date: "2026-11-28",
    kind: "changed",
    operations: ["createShare", "getSharedLogs", "getSharedEntry", "findInSharedLogs", "streamSharedLogs"],
    words:
      "A share link without tool output no longer shows file contents, diffs, and other contents of tool inputs. `changed_files` names an edit's files, `input_hidden` counts the characters that are left out.",
  },
  {
    id: "whole-questions",
    date: "2026-11-28",
    kind: "changed",
    operations: ["createRun", "getRun", "listRuns", "answerQuestion"],
    words:
      "A run's `question` has all that the agent asks for: `kind`, `text`, `locations`, and `diffs_total`, the number of all changes. Entries of answered requests have it as `request` in `tool_output`.",
  },
  {
    id: "times-of-other-systems",
    date: "2026-11-28",
    kind: "changed",
    operations: ["updateRun", "getTimeline", "appendLogs"],
    words:
      "A `created_at` before 2000 or more than a day ahead is refused. An external run begins with its earliest step, and ends with its latest one only if all were over before the run was created.",
  },
  {
    id: "latest-turns",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getRun", "listRuns", "resumeRun", "getLogs"],
    words:
      "A run has `latest_turn`: `result` answers the latest message only if `result_turn` is the same. Texts of MCP tools say so when it is not.",
  },
  {
    id: "errors-after-complete",
    date: "2026-11-28",
    kind: "changed",
    operations: ["reportClaudeStatus"],
    words: "ERROR or CANCELLED after COMPLETE of the same turn is the turn's end.",
  },
  {
    id: "whole-group-paths",
    date: "2026-11-28",
    kind: "changed",
    operations: ["listRepositories", "createRepository", "getRepository", "updateRepository"],
    words:
      "`full_name` of a repository in groups within groups has all of them: `group/sub/project`, no longer `sub/project`.",
  },
  {
    id: "hints-of-refusals",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getRun", "pushRun", "openPullRequest"],
    words:
      "A refused push always has a `hint`. Of a pull request that was not opened, `no_branch` is about the base branch; a missing branch of the run is `no_head`.",
  },
];

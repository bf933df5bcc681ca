/**
 * What a change means for clients. `added`: nothing to do; `changed`: an answer or a rule differs; `deprecated`: still works,
 * until `sunset`; `removed`: no longer works; `fixed`: it now does what was described.
 */
export type ChangeKind = "added" | "changed" | "deprecated" | "removed" | "fixed";

/** One change of the API that a client can notice. */
export type Change = {
  /** Permanent anchor on /docs/changelog, unique: lower-case words joined by hyphens. */
  id: string;
  /** Day on which it reached the main branch, YYYY-MM-DD, in UTC. */
  date: string;
  kind: ChangeKind;
  /** Ids of the operations concerned, in the order of the documentation. Never empty. A removed one is no longer described. */
  operations: readonly string[];
  /** One or two plain sentences; Markdown code spans, nothing else. */
  words: string;
  /** Of a deprecation: the day from which it may stop working, YYYY-MM-DD. */
  sunset?: string;
};

/**
 * Every change of the API, newest first. Whoever adds or changes an operation adds a line here; a test finds operations
 * that no entry of kind `added` names, or that two of them name, and deprecations without an entry.
 */
export const changelog: readonly Change[] = [
  {
    id: "personal-rules",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getCliRules", "updateMe"],
    words:
      "People have rules for agents of their own: `PATCH users/me` takes `rules`, and `user_custom_prompt` of `cli/rules`, null before, is what was set.",
  },
  {
    id: "run-telemetry",
    date: "2026-11-23",
    kind: "added",
    operations: ["listTelemetry"],
    words: "The telemetry of a Claude Code session can be read beside its run, page by page.",
  },
  {
    id: "silent-sessions",
    date: "2026-11-23",
    kind: "changed",
    operations: ["openClaudeSession", "getClaudeSession"],
    words:
      "A Claude Code session of which nothing is heard for 30 minutes ends as `timed_out`, and goes on with its next line. GET tells `heard_at` and `silent_since`.",
  },
  {
    id: "described-whole",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getOpenapi"],
    words:
      "`/v1/openapi.json` tells defaults, bounds, response headers, every documented refusal and an example of each request and answer.",
  },
  {
    id: "acts-on-runs",
    date: "2026-11-23",
    kind: "changed",
    operations: ["resumeRun", "cancelRun", "stopRun", "answerQuestion", "createShare", "listShares", "deleteShare"],
    words:
      "Acting on somebody else's run may need a higher role than acting on one's own; the table in the API reference says which. Without it the answer is 403.",
  },
  {
    id: "oidc",
    date: "2026-11-23",
    kind: "added",
    operations: ["getOidc", "startOidc", "finishOidc"],
    words: "Signing in by OpenID Connect, where the instance has a provider.",
  },
  {
    id: "reference-lists",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "listModels",
      "listTools",
      "executeTool",
      "generateSlackToken",
      "listMcpProviders",
      "listOAuthTokens",
      "revokeOAuthToken",
    ],
    words: "Models, tools that a language model can call, and the lists that existing clients ask for.",
  },
  {
    id: "bans-and-check-settings",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "banRun",
      "removeFromPullRequest",
      "unbanRun",
      "updateRepository",
      "getCheckSuiteSettings",
      "putCheckSuiteSettings",
      "editPullRequest",
      "editRepositoryPullRequest",
    ],
    words: "Keep a run from waking up for its pull request, rename a repository, and keep its check settings.",
  },
  {
    id: "banned-at",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "getLogs"],
    words: "A run has `banned_at`: since when no event of its pull request wakes it, or null.",
  },
  {
    id: "organizations",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "createOrganization",
      "findRunOrganization",
      "getSettings",
      "changeSettings",
      "getCliRules",
      "getSession",
      "chooseOrganization",
    ],
    words: "Several organizations on one instance, their settings, and the organization that a browser shows.",
  },
  {
    id: "webhooks",
    date: "2026-11-23",
    kind: "added",
    operations: ["getWebhook", "setWebhook", "deleteWebhook", "testWebhook", "listDeliveries", "resendDelivery"],
    words: "Signed webhooks (Standard Webhooks) when runs start, wait and finish, and the list of their deliveries.",
  },
  {
    id: "webhooks-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun", "resumeRun"],
    words: "The body takes `webhooks`: those of this run, in place of the organization's.",
  },
  {
    id: "agent-type-is-a-wish",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun"],
    words:
      "`agent_type` is a wish: where that agent is not ready, the default works and the first entry of the log says why. `agent` stays strict.",
  },
  {
    id: "claude-code",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "openClaudeSession",
      "logClaudeLine",
      "reportClaudeStatus",
      "getClaudeSession",
      "postTelemetryLogs",
      "postTelemetryMetrics",
      "getTelemetryHealth",
    ],
    words: "A Claude Code session of your own terminal becomes a live run, and its telemetry is kept beside it.",
  },
  {
    id: "people",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "updateMember",
      "removeMember",
      "createPasswordReset",
      "getPasswordReset",
      "resetPassword",
      "listInvitations",
      "createInvitation",
      "deleteInvitation",
      "getInvitation",
      "acceptInvitation",
      "updateMe",
      "changePassword",
      "listSessions",
      "endOtherSessions",
      "signInWithPassword",
    ],
    words: "Invite, change and remove members; passwords, links that reset them, and one's own profile and sessions.",
  },
  {
    id: "last-seen",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getMe", "listUsers", "getUser"],
    words: "A user has `last_seen_at` and `sign_in_ways`.",
  },
  {
    id: "integrations",
    date: "2026-11-23",
    kind: "added",
    operations: [
      "listIntegrations",
      "putIntegration",
      "deleteIntegration",
      "testIntegration",
      "listLinks",
      "putLink",
      "deleteLink",
      "createLinkCode",
      "receiveEvent",
    ],
    words:
      "Code hosts, Slack and Linear: a mention there starts or resumes a run, and the answer goes back to the thread.",
  },
  {
    id: "audit-log",
    date: "2026-11-23",
    kind: "added",
    operations: ["listAudit"],
    words: "The audit log: who did what with a privilege, and when.",
  },
  {
    id: "own-tokens",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listTokens", "createToken", "deleteToken"],
    words:
      "Every member manages their own tokens in a session. A token without `org:admin` sees and revokes only itself.",
  },
  {
    id: "queue-of-turns",
    date: "2026-11-23",
    kind: "added",
    operations: ["listQueue", "editTurn", "withdrawTurn", "sendQueue"],
    words: "Turns that have not begun can be listed, edited, withdrawn and sent.",
  },
  {
    id: "turns-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun", "getRun", "listRuns", "resumeRun"],
    words:
      "A run has `queued_turns`, `result_turn` and `turn_timeout_s`; create takes `turn_timeout_s`, resume takes `with_queue`.",
  },
  {
    id: "analysis",
    date: "2026-11-23",
    kind: "added",
    operations: ["getAnalysis", "analyzeLogs", "analyzeSandboxLogs"],
    words: "What a run's log tells, by rules, and runs that analyze the log of another run.",
  },
  {
    id: "setup-commands",
    date: "2026-11-23",
    kind: "added",
    operations: ["getSetup", "acceptSetup", "deleteSetup", "discardProposal", "generateSetup"],
    words: "Commands that prepare a repository's checkout: found, tried, and used once somebody has accepted them.",
  },
  {
    id: "outcome-of-an-entry",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getLogs", "getLogEntry"],
    words: "A log entry that came cut short may have `outcome`: how its tool call ended.",
  },
  {
    id: "page-or-skip",
    date: "2026-11-23",
    kind: "changed",
    operations: [
      "listRuns",
      "searchRuns",
      "listShares",
      "listRepositories",
      "listOrganizations",
      "listUsers",
      "listTokens",
    ],
    words: "`page` together with `skip` is 400: both say where the page begins.",
  },
  {
    id: "diff-without-binaries",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getDiff"],
    words: "`binary=false` leaves the contents of binary files out of a diff.",
  },
  {
    id: "limits-of-share-links",
    date: "2026-11-23",
    kind: "changed",
    operations: [
      "getSharedRun",
      "getSharedLogs",
      "getSharedEntry",
      "getSharedOutline",
      "getSharedPosition",
      "getSharedTools",
      "getSharedTimeline",
      "findInSharedLogs",
      "streamSharedLogs",
    ],
    words: "Readers of a share link have a rate limit of their own.",
  },
  {
    id: "share-links",
    date: "2026-11-21",
    kind: "added",
    operations: [
      "createShare",
      "previewShare",
      "listShares",
      "deleteShare",
      "getSharedRun",
      "getSharedLogs",
      "getSharedEntry",
      "getSharedOutline",
      "getSharedPosition",
      "getSharedTools",
      "getSharedTimeline",
      "findInSharedLogs",
      "streamSharedLogs",
    ],
    words: "Links that let people without an account read a run.",
  },
  {
    id: "reading-a-log",
    date: "2026-11-21",
    kind: "added",
    operations: ["searchRuns", "getLogPosition", "getLogTools", "getOutline", "getTimeline", "findInLogs"],
    words: "Search across runs; find, filter, outline and timeline of one run's log.",
  },
  {
    id: "first",
    date: "2026-11-21",
    kind: "added",
    operations: [
      "createRun",
      "getRun",
      "listRuns",
      "resumeRun",
      "cancelRun",
      "stopRun",
      "answerQuestion",
      "getLogs",
      "getLogEntry",
      "streamLogs",
      "getDiff",
      "exportRun",
      "appendLogs",
      "updateRun",
      "listRepositories",
      "createRepository",
      "getRepository",
      "listBranches",
      "listAgents",
      "listOrganizations",
      "getMe",
      "listUsers",
      "getUser",
      "listTokens",
      "createToken",
      "deleteToken",
      "signIn",
      "signOut",
      "getOpenapi",
      "getHealth",
      "getReadiness",
    ],
    words: "The first operations: start runs, follow and steer them, read their logs.",
  },
];

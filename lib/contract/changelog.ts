// The changelog is one list, newest first, and grows with the API.
/**
 * Meaning of a change for clients. `added`: nothing to do; `changed`: a response or a rule differs; `deprecated`: still works,
 * until `sunset`; `removed`: no longer works; `fixed`: it now does what was described.
 */
export type ChangeKind = "added" | "changed" | "deprecated" | "removed" | "fixed";

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
 * Every change of the API, newest first. Anyone who adds or changes an operation adds a line here; a test finds operations that no
 * entry of kind `added` names, or that two of them name, and deprecations without an entry.
 */
export const changelog: readonly Change[] = [
  {
    id: "submodules",
    date: "2026-11-28",
    kind: "changed",
    operations: ["listRepositories", "createRepository", "getRepository", "updateRepository"],
    words:
      "A repository has `fetch_submodules`, off by default: checkouts of new runs then get the files of its submodules.",
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
    id: "times-of-other-systems",
    date: "2026-11-28",
    kind: "changed",
    operations: ["getTimeline", "appendLogs", "updateRun"],
    words:
      "A `created_at` before 2000 or more than a day ahead is refused. An external run begins with its earliest step, and ends with its latest one only if all were over before it was created.",
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
    id: "which-code-host",
    date: "2026-11-28",
    kind: "fixed",
    operations: ["getPullSettings", "putPullSettings", "openPullRequest"],
    words:
      "A repository belongs to the code host whose scheme, host, port and path its http address has. If an ssh address may be on several connected hosts, none is used: `target.kind` is `unclear`.",
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
  {
    id: "pushed-branches",
    date: "2026-11-28",
    kind: "fixed",
    operations: ["getRun", "listRuns", "openPullRequest"],
    words:
      "`pull_request.state` stays `pushed` in later rounds. `opening` is a state of work in progress only: it becomes `failed` if the work ends before.",
  },
  {
    id: "words-of-lost-secrets",
    date: "2026-11-27",
    kind: "changed",
    operations: ["pushRun", "createRepository", "editPullRequest", "listKeys", "testWebhook", "listDeliveries"],
    words:
      "Messages about a secret that cannot be decrypted no longer name ids of keys, contexts or files of the service; its log does.",
  },
  {
    id: "answered-integrations",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["listIntegrations"],
    words:
      "A code host that refuses requests for one repository stays active; `reason` names the repository until they work. One that refused the secret is active again once a request for an event works.",
  },
  {
    id: "first-connections",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["putIntegration"],
    words:
      "A change of `base_url` requires what a first connection requires: a secret, and `installation_id` with an App's key.",
  },
  {
    id: "lost-mcp-headers",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["putIntegration"],
    words: "With `mcp`, an unchanged server whose headers can no longer be decrypted is not active.",
  },
  {
    id: "numbers-of-entries",
    date: "2026-11-27",
    kind: "changed",
    operations: ["appendLogs"],
    words:
      "Whole numbers beyond 2^53 - 1 in an entry are rounded as in JavaScript, and numbers beyond 1.8e308 are refused with 400: write them as text.",
  },
  {
    id: "numbers-of-metadata",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["createRun"],
    words: "A number beyond 1.8e308 in `metadata` is refused with 400 instead of stored as null.",
  },
  {
    id: "completed-partial-clones",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["createRepository"],
    words: "A folder that was a partial clone is accepted again if it has all its files and no filter any more.",
  },
  {
    id: "moved-integrations",
    date: "2026-11-27",
    kind: "changed",
    operations: ["putIntegration"],
    words:
      "Changing `base_url` disconnects the old service: people are unlinked, conversations end, and `hook_url` changes.",
  },
  {
    id: "lost-hook-secrets",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["listIntegrations", "putIntegration", "testIntegration", "receiveEvent"],
    words:
      "An integration whose `hook_secret` can no longer be decrypted is not active, and its events get 503 instead of 500.",
  },
  {
    id: "secrets-of-pull-requests",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["openPullRequest"],
    words:
      "Commits with a secret from the headers of MCP servers or from a variable of the agent are not pushed, like those with a stored key.",
  },
  {
    id: "messages-of-telemetry",
    date: "2026-11-27",
    kind: "changed",
    operations: ["postTelemetryLogs", "postTelemetryMetrics"],
    words: "A request in protobuf with more than 250,000 messages, nested ones included, is refused with 400.",
  },
  {
    id: "calls-after-results",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["logClaudeLine"],
    words: "A tool call that arrives after its result becomes an entry of its own, with its name and input.",
  },
  {
    id: "no-partial-clones",
    date: "2026-11-27",
    kind: "changed",
    operations: ["createRepository"],
    words: "A folder that is a partial clone is refused, because runs on it could not begin.",
  },
  {
    id: "unchanged-mcp-servers",
    date: "2026-11-27",
    kind: "changed",
    operations: ["putIntegration"],
    words: "With `mcp`, servers that stay as they are and are active are not checked again, so they stay active.",
  },
  {
    id: "hosts-of-analyses",
    date: "2026-11-27",
    kind: "changed",
    operations: ["analyzeLogs", "analyzeSandboxLogs"],
    words:
      "Behind the wall the agent that analyzes a log reaches its own hosts only, whatever the network of other runs.",
  },
  {
    id: "rebuilds-with-new-files",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["rebuildSetup"],
    words: "The earlier cache's files are never saved again as the new one; while a run uses them, nothing is saved.",
  },
  {
    id: "streams-of-shared-ranges",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["getSharedTimeline", "streamSharedLogs"],
    words:
      "The stream and the timeline of a link to a range show nothing of the run outside it, whatever `after` says.",
  },
  {
    id: "masks-of-work",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["getDiff", "getWorkFile"],
    words: "Headers of MCP servers are masked in `diff?since_turn=` and in files, as they are in the whole diff.",
  },
  {
    id: "ends-of-linked-accounts",
    date: "2026-11-27",
    kind: "changed",
    operations: ["finishOidc"],
    words:
      "The first sign-in that takes an account over revokes its tokens and removes its links to other accounts too.",
  },
  {
    id: "age-of-reported-runs",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["changeSettings"],
    words:
      "For a run that was reported after it ended, `keep_runs_days` and `keep_runs_gb` count its age from the report.",
  },
  {
    id: "first-hundred-invalid-fields",
    date: "2026-11-27",
    kind: "changed",
    operations: ["createRun", "appendLogs"],
    words: "A 400 of these and all other operations names at most the first 100 invalid fields in `errors`.",
  },
  {
    id: "invitation-code-of-oidc",
    date: "2026-11-27",
    kind: "changed",
    operations: ["finishOidc"],
    words: "`invitation_code`: people without a group, or who were removed, can sign in to accept an invitation.",
  },
  {
    id: "large-events-at-once",
    date: "2026-11-27",
    kind: "changed",
    operations: ["receiveEvent"],
    words: "An address that sends more than 50 MB of events at once gets a 429.",
  },
  {
    id: "proposals-of-deleted-runs",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["deleteRun"],
    words: "A proposal of setup commands is deleted with the run that made it.",
  },
  {
    id: "sizes-of-claude-code-sessions",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["getStorage"],
    words: "`log_bytes` counts the lines and the telemetry of Claude Code sessions.",
  },
  {
    id: "open-streams-are-limited",
    date: "2026-11-27",
    kind: "changed",
    operations: ["streamLogs", "streamSharedLogs"],
    words:
      "A token, a session, and the readers of a share link at one address may each have 100 streams open; another one gets a 429.",
  },
  {
    id: "signing-keys-made-anew",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["putPullSettings"],
    words: "A signing key that can no longer be decrypted is replaced by a new one.",
  },
  {
    id: "telemetry-without-runs",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["postTelemetryLogs", "postTelemetryMetrics"],
    words:
      "Records whose session has no run, such as those that arrive after its deletion, are deleted after seven days.",
  },
  {
    id: "model-of-a-queued-turn",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["editTurn"],
    words: "A `model` of null gives the turn the run's model again. Before, null was ignored.",
  },
  {
    id: "shared-logs-are-alpha",
    date: "2026-11-27",
    kind: "changed",
    operations: [
      "getSharedLogs",
      "getSharedEntry",
      "getSharedOutline",
      "getSharedPosition",
      "getSharedTools",
      "getSharedTimeline",
      "findInSharedLogs",
      "streamSharedLogs",
    ],
    words: "They respond with `X-Errand-Stability: alpha`, like the same operations on your own runs.",
  },
  {
    id: "etag-of-every-setup",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["discardProposal", "rebuildSetup"],
    words: "The setup in the response has an `ETag` for If-Match, as in every other response with a setup.",
  },
  {
    id: "push-of-a-live-run",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["streamLogs"],
    words: "Pushing a live run's branch sends a `run` event too.",
  },
  {
    id: "errors-of-unreadable-input",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["createRun", "resumeRun", "appendLogs"],
    words: "A 400 for a body or path that cannot be read has `errors` too, in every operation.",
  },
  {
    id: "slack-token-by-admins",
    date: "2026-11-27",
    kind: "changed",
    operations: ["generateSlackToken"],
    words:
      "It needs the scope `org:admin`, and counts as a standard request. `POST …/integrations/slack/link-code` links anyone who may start runs.",
  },
  {
    id: "status-words-everywhere",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["getTimeline", "getAnalysis"],
    words: "For a token with `status_style: reference` the statuses in these responses are in its vocabulary too.",
  },
  {
    id: "lists-ignore-the-case-of-every-letter",
    date: "2026-11-27",
    kind: "fixed",
    operations: ["listRuns", "listRepositories"],
    words: "`q` ignores the case of every letter, not only of ASCII letters.",
  },
  {
    id: "bans-of-pull-requests",
    date: "2026-11-25",
    kind: "fixed",
    operations: ["banRun", "removeFromPullRequest", "unbanRun"],
    words:
      "Every run that works on the pull request is stopped and flagged, or has its flag removed, not only the one named.",
  },
  {
    id: "sign-in-to-agents",
    date: "2026-11-25",
    kind: "added",
    operations: ["signInToAgent"],
    words: "`POST …/agents/{agent_id}/sign-in` signs in to an agent by a method of its own.",
  },
  {
    id: "sign-in-methods-of-agents",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listAgents"],
    words: "Agents have `sign_in_methods` and `sign_in_attempt`.",
  },
  {
    id: "environment-of-agents",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listAgents", "getReadiness"],
    words:
      "Agents have `environment`, the names of the variables that they are given. `file_problem` says why the service's `agents.json` is not used, and `problems` of `/readyz` reports it too.",
  },
  {
    id: "default-model-of-each-agent",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listAgents", "getSettings", "changeSettings"],
    words:
      "`default_models` and `default_modes` of the settings: by agent, for runs that name none. Agents have theirs as `default_model` and `default_mode`.",
  },
  {
    id: "commands-announced-in-runs",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listAgents"],
    words:
      "`announced.commands` has the commands that the agent announced in the organization's last run, and those that it announces long after it has answered.",
  },
  {
    id: "agents-that-refused",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listAgents"],
    words:
      "`refused_at`: when a run of the organization first failed because the agent is not signed in. Until a run works or a key is saved, its `state` is `needs_sign_in`.",
  },
  {
    id: "unknown-tokens-are-null",
    date: "2026-11-25",
    kind: "fixed",
    operations: ["getRun", "listRuns"],
    words: "`tokens` is null, not 0, for a cancelled run whose agent reported a cost but no tokens.",
  },
  {
    id: "pulls-of-folders",
    date: "2026-11-25",
    kind: "fixed",
    operations: ["putPullSettings"],
    words: "If a repository's source is a folder, `mode` `automatic` gives 400: folders are pushed to only on request.",
  },
  {
    id: "pull-request-options-in-time",
    date: "2026-11-25",
    kind: "fixed",
    operations: ["openPullRequest"],
    words:
      "Other values for a pull request that is already under way are used, or refused with 409 while it is being opened or its checks are followed. Before, they were ignored.",
  },
  {
    id: "account-of-pull-requests",
    date: "2026-11-25",
    kind: "changed",
    operations: ["getPullSettings", "putPullSettings"],
    words: "`target` has the `account` that opens pull requests, and its kind: nobody can approve their own.",
  },
  {
    id: "bots-that-are-listened-to",
    date: "2026-11-25",
    kind: "changed",
    operations: ["listIntegrations", "putIntegration"],
    words: "The settings of a code host have `bots`: logins of bots whose mentions count as a person's.",
  },
  {
    id: "commits-of-a-github-app",
    date: "2026-11-25",
    kind: "changed",
    operations: ["getPullSettings", "putPullSettings"],
    words:
      "Without `commit_name` and `commit_email`, work in repositories of a connected GitHub App is committed as the App's account.",
  },
  {
    id: "refused-pushes-in-the-hosts-words",
    date: "2026-11-25",
    kind: "changed",
    operations: ["pushRun", "openPullRequest"],
    words:
      "A refused push says what the remote said. `pushRun` has a `hint`; the error of a pull request has the codes `protected` and `scope` for pushes too.",
  },
  {
    id: "mcp-servers-of-one-run",
    date: "2026-11-24",
    kind: "changed",
    operations: ["createRun", "resumeRun"],
    words:
      "`mcp_servers` are MCP servers for one run; `mcp_server_names` choose among the organization's. The message in the log names those that the agent was given.",
  },
  {
    id: "text-files-of-messages",
    date: "2026-11-24",
    kind: "changed",
    operations: ["createRun", "resumeRun", "listQueue", "editTurn"],
    words:
      "`attachments` of a run or a turn are text files for the agent. The message in the log has them in `tool_input.attachments`.",
  },
  {
    id: "mcp-servers-of-repositories",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listIntegrations", "putIntegration"],
    words: "MCP servers have `repo_ids`: the repositories whose runs are given the server.",
  },
  {
    id: "links-between-runs-of-a-pull-request",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getLogs"],
    words:
      "`AGENT_RUN_LINK` entries lead to the issue that started a run, to runs on the same pull request, and to the run whose branch a run builds on.",
  },
  {
    id: "drafts-again",
    date: "2026-11-23",
    kind: "fixed",
    operations: ["editPullRequest", "editRepositoryPullRequest"],
    words: "`PATCH prs` with `draft` makes an open pull request a draft again, on every code host.",
  },
  {
    id: "local-checks-of-pull-requests",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "getPullSettings", "putPullSettings"],
    words:
      "`pull-settings` have `local_checks`: the setup's test and lint commands check what is pushed. A pull request's `stage` can be `testing`.",
  },
  {
    id: "private-repositories-of-connected-hosts",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRepository", "listBranches"],
    words: "A private repository of a connected code host is read with the integration's credential.",
  },
  {
    id: "last-push-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "pushRun"],
    words: "Runs have `pushed`: the commit of their last push, where to and when.",
  },
  {
    id: "time-at-work-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "getSharedRun"],
    words: "Runs have `work_ms`, how long their turns took without the time between them, and `turn_started_at`.",
  },
  {
    id: "slowest-calls-by-name",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getAnalysis"],
    words:
      "Each call in `slowest` has `call`, the start of its command or path. While a log is only partly read, no cause is certain. Hosts that Errand refused are named.",
  },
  {
    id: "mode-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun", "getRun", "listRuns"],
    words: "POST run takes `mode`, one of the modes that the agent announces; a run shows it.",
  },
  {
    id: "messages-at-the-next-step",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "resumeRun", "listQueue"],
    words:
      "POST resume takes `delivery`: with `next_step` a message reaches a working agent between two steps. Runs have `steerable`, queued turns `delivery`; their log entries have `during_turn`.",
  },
  {
    id: "pull-requests-of-runs",
    date: "2026-11-23",
    kind: "added",
    operations: ["getPullSettings", "putPullSettings", "openPullRequest"],
    words:
      "`POST …/agent/run/{agent_run_id}/pull-request` pushes a run's work, opens its pull request and follows its checks. A repository's `pull-settings` say when.",
  },
  {
    id: "pull-request-of-a-run",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "editPullRequest", "editRepositoryPullRequest"],
    words:
      "Runs have `pull_request`, and `github_pull_requests` is filled. `PATCH prs` closes and reopens on the code host; check settings and bans do what they say.",
  },
  {
    id: "organizations-turn-off-pull-requests",
    date: "2026-11-23",
    kind: "changed",
    operations: ["openPullRequest", "changeSettings"],
    words:
      "`enable_pr_creation` has an effect: where it is false no pull request is opened, and asking for one gives 409.",
  },
  {
    id: "unreadable-agent-keys",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listKeys", "putKey", "deleteKey", "testWebhook"],
    words:
      "Keys for agents have `problem`: why a key cannot be decrypted. A test of a webhook whose secret cannot be decrypted says so in `error`.",
  },
  {
    id: "files-of-a-run",
    date: "2026-11-23",
    kind: "added",
    operations: ["getWorkFile"],
    words: "`GET …/agent/run/{agent_run_id}/file` reads a file of a run's work as it was when a turn had ended.",
  },
  {
    id: "diff-since-a-turn",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getDiff"],
    words: "`since_turn` of GET diff: only what changed after that turn had ended.",
  },
  {
    id: "push-of-a-run",
    date: "2026-11-23",
    kind: "added",
    operations: ["pushRun"],
    words:
      "`POST …/agent/run/{agent_run_id}/push` pushes a run's branch to the source of its repository, and says what happened. It never overwrites other people's commits.",
  },
  {
    id: "agents-announce-themselves",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listAgents", "listModels"],
    words:
      "Agents have `state`, `sign_in`, `command`, `install`, `oldest_version` and `announced`. A slow agent stays ready, and `models` includes those that the agent announces.",
  },
  {
    id: "silent-agents",
    date: "2026-11-23",
    kind: "changed",
    operations: ["streamLogs"],
    words: "Progress has `heard_at`, when the agent last said anything, and `log`, the end of its error output.",
  },
  {
    id: "old-messages-of-hosts",
    date: "2026-11-23",
    kind: "changed",
    operations: ["receiveEvent"],
    words:
      "An event of GitHub, GitLab or Forgejo does nothing if its message is older than 30 days or older than the connection.",
  },
  {
    id: "telemetry-that-came-before",
    date: "2026-11-23",
    kind: "fixed",
    operations: ["postTelemetryLogs", "postTelemetryMetrics"],
    words: "`message` says how many records had been received before; it used to say that all were kept.",
  },
  {
    id: "variables-and-hosts-of-a-setup",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getSetup", "acceptSetup", "deleteSetup", "discardProposal", "rebuildSetup"],
    words:
      "A setup has `env` (names of stored keys) and `network` (hosts) for its commands alone. Only an admin adds to either, or changes the commands while one is set.",
  },
  {
    id: "prepared-checkouts",
    date: "2026-11-23",
    kind: "added",
    operations: ["rebuildSetup"],
    words:
      "Runs behind the wall begin with what an earlier run's setup made. A setup's `prepared` shows what is kept; `POST setup/rebuild` rebuilds it; `setup_status` can be `building` and `stale`.",
  },
  {
    id: "full-disk",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getReadiness"],
    words:
      "While Errand's disk is full, changes get 507 `disk_full` with `Retry-After`, reads work, and `/readyz` says so. Reads from a damaged store get 500 `store_damaged`.",
  },
  {
    id: "what-is-kept",
    date: "2026-11-23",
    kind: "added",
    operations: ["getStorage", "previewRetention"],
    words: "What takes up disk space, and a preview of what retention settings would remove now.",
  },
  {
    id: "settings-for-what-is-kept",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getSettings", "changeSettings"],
    words:
      "`keep_runs_days` and `keep_runs_gb` delete old runs, `keep_checkouts_days` (30 unless set) removes checkouts of ended runs and keeps their branches.",
  },
  {
    id: "deleted-runs",
    date: "2026-11-23",
    kind: "added",
    operations: ["deleteRun", "deleteRepository"],
    words:
      "`DELETE agent/run/{agent_run_id}` deletes a run that has ended, with its log, links, checkout and branch; `DELETE repos/{repo_id}` a repository with all its runs.",
  },
  {
    id: "isolation-of-the-machine",
    date: "2026-11-23",
    kind: "added",
    operations: ["changeRepositoryNetwork", "getIsolation", "changeNetwork", "listRecentDenials"],
    words:
      "Whether the wall works on the machine of the agents, the refused connections of the last week, and `PATCH network`, which adds and removes single rules.",
  },
  {
    id: "why-a-leash",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listDenials", "listAgents"],
    words:
      "`isolation_reason` says why an agent is on the leash, `wall_problem` why it could not have the wall, and `allowed` whether the current rules would allow a refused connection.",
  },
  {
    id: "readiness-needs-an-engine",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getReadiness"],
    words: "`/readyz` responds 503 while no engine is running.",
  },
  {
    id: "isolation",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "listAgents", "getSettings", "changeSettings"],
    words:
      "Runs and agents have `isolation`: `wall` or `leash`. With the organization's setting `require_wall`, a run that cannot work behind the wall fails with `isolation_unavailable`.",
  },
  {
    id: "github-usernames",
    date: "2026-11-23",
    kind: "changed",
    operations: ["putLink", "getMe", "listUsers", "getUser", "updateMe"],
    words:
      "People's `github_username` and `github_user_id` were always empty and can now be set: `PATCH users/me` takes `github_username`, and linking someone in GitHub fills in both if they are empty.",
  },
  {
    id: "network",
    date: "2026-11-23",
    kind: "added",
    operations: ["listDenials", "getRepositoryNetwork", "putRepositoryNetwork", "getNetwork", "putNetwork"],
    words: "What agents of an organization and of a repository may reach, and a run's refused connections.",
  },
  {
    id: "keys-of-agents",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listAgents"],
    words: "Each agent lists in `keys` the variables of the keys that the service can store for it.",
  },
  {
    id: "agent-keys",
    date: "2026-11-23",
    kind: "added",
    operations: ["listKeys", "putKey", "deleteKey"],
    words:
      "The service stores agents' keys, for an organization or a repository; agents behind the wall never hold them.",
  },
  {
    id: "mcp-servers",
    date: "2026-11-23",
    kind: "changed",
    operations: ["listIntegrations", "putIntegration", "deleteIntegration", "testIntegration", "listMcpProviders"],
    words:
      "MCP servers can be connected as the integration `mcp`: `PUT integrations/mcp` takes `servers`, and agents that take MCP servers over HTTP are given those that work. `mcp-providers` lists them.",
  },
  {
    id: "queue-position",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun", "getRun", "listRuns", "streamLogs"],
    words: "A queued run has `queue_position`: its place among the organization's queued runs, from 1.",
  },
  {
    id: "answered-questions",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "answerQuestion", "streamLogs"],
    words:
      "A run's `question` says whether it is `answered`: until the agent continues, the run still shows it. The MCP tool `wait_for_run` does not stop at an answered question.",
  },
  {
    id: "personal-rules",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getCliRules", "updateMe"],
    words:
      "People can have their own rules for agents: `PATCH users/me` takes `rules`, and `user_custom_prompt` of `cli/rules`, null until now, returns them.",
  },
  {
    id: "run-telemetry",
    date: "2026-11-23",
    kind: "added",
    operations: ["listTelemetry"],
    words: "The telemetry of a Claude Code session can be read page by page, next to its run.",
  },
  {
    id: "silent-sessions",
    date: "2026-11-23",
    kind: "changed",
    operations: ["openClaudeSession", "getClaudeSession"],
    words:
      "A Claude Code session that sends nothing for 30 minutes ends as `timed_out`, and continues with its next line. GET returns `heard_at` and `silent_since`.",
  },
  {
    id: "described-whole",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getOpenapi"],
    words:
      "`/v1/openapi.json` has defaults, bounds, response headers, every documented error, and an example of each request and response.",
  },
  {
    id: "acts-on-runs",
    date: "2026-11-23",
    kind: "changed",
    operations: ["resumeRun", "cancelRun", "stopRun", "answerQuestion", "createShare", "listShares", "deleteShare"],
    words:
      "Acting on someone else's run may require a higher role than acting on your own; the table in the API reference says which. Without it the response is 403.",
  },
  {
    id: "oidc",
    date: "2026-11-23",
    kind: "added",
    operations: ["getOidc", "startOidc", "finishOidc"],
    words: "Sign-in with OpenID Connect, if the installation has a provider.",
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
    words: "Prevent pull request events from waking a run, rename a repository, and store its check settings.",
  },
  {
    id: "banned-at",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getRun", "listRuns", "getLogs"],
    words: "A run has `banned_at`: when pull request events stopped resuming it, or null.",
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
    words: "Several organizations on one installation, their settings, and the organization a browser shows.",
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
    words: "The body takes `webhooks`: those of this run, instead of the organization's.",
  },
  {
    id: "agent-type-is-a-wish",
    date: "2026-11-23",
    kind: "changed",
    operations: ["createRun"],
    words:
      "`agent_type` is a preference: if that agent is not ready, the default agent is used and the first entry of the log says why. `agent` stays strict.",
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
    words: "A Claude Code session in your own terminal becomes a live run, and its telemetry is stored with it.",
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
    words: "Invite, change and remove members; passwords and links that reset them; your own profile and sessions.",
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
    words: "The audit log: privileged actions, who did them, and when.",
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
    words: "Turns that have not started can be listed, edited, withdrawn and sent.",
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
    words: "Findings by rules about a run's log, and runs that analyze the log of another run.",
  },
  {
    id: "setup-commands",
    date: "2026-11-23",
    kind: "added",
    operations: ["getSetup", "acceptSetup", "deleteSetup", "discardProposal", "generateSetup"],
    words: "Commands that prepare a repository's checkout: found, tried, and used once accepted.",
  },
  {
    id: "outcome-of-an-entry",
    date: "2026-11-23",
    kind: "changed",
    operations: ["getLogs", "getLogEntry"],
    words: "A log entry whose text was cut may have `outcome`: how its tool call ended.",
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
    words: "`page` together with `skip` gives 400: both say where the page begins.",
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

// One function for each operation of the API: a test compares the list with the operations.
import { randomUUID } from "node:crypto";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { type ApiUnderTest, type Asked, memberPassword } from "./api-under-test.ts";
import { openedPull } from "./opened-pull.fixture.ts";
import { PreparedState } from "./prepared-state.fixture.ts";
import { pushableRun } from "./pushable-run.fixture.ts";

/** A request: the method is the operation's, the token any owner's of the first organization. */
export type Prepared = { path: string; asked?: Asked };

const O = "/v1/organizations/1";

/** Operations that a code host carries out, and there is none here: they succeed by saying that nothing was changed. */
export const changeNothing: ReadonlySet<string> = new Set(["editPullRequest", "editRepositoryPullRequest"]);

/** For each operation, by id: prepares its state, and returns a request that succeeds. */
export function goodRequests(api: ApiUnderTest): Record<string, () => Promise<Prepared>> {
  const state = new PreparedState(api);
  return {
    createRun: async () => ({ path: `${O}/agent/run`, asked: { body: { prompt: "Look around" } } }),
    getRun: async () => ({ path: `${O}/agent/run/${(await api.run()).id}` }),
    deleteRun: async () => ({ path: `${O}/agent/run/${await state.endedRun(3)}` }),
    listRuns: async () => ({
      path: `${O}/agent/runs?status=completed&status=PAUSED,failed&page=1&size=10&metadata=team%3Dshop&metadata=n%3D1&sort=-finished_at&fields=status,result`,
    }),
    resumeRun: async () => ({
      path: `${O}/agent/run/resume`,
      asked: { body: { agent_run_id: (await api.run()).id, prompt: "more" } },
    }),
    cancelRuns: async () => ({
      path: `${O}/agent/runs/cancel`,
      asked: { body: { agent_run_ids: [(await api.run()).id], status: ["queued"] } },
    }),
    cancelRun: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/cancel` }),
    stopRun: async () => ({
      path: "/v1/beta/organizations/1/agent/run/stop",
      asked: { body: { agent_run_id: (await api.run()).id } },
    }),
    banRun: async () => ({ path: `${O}/agent/run/ban`, asked: { body: { agent_run_id: (await api.run()).id } } }),
    removeFromPullRequest: async () => ({
      path: `${O}/agent/run/remove-from-pr`,
      asked: { body: { agent_run_id: (await api.run()).id, before_card_order_id: "a0", after_card_order_id: null } },
    }),
    unbanRun: async () => ({ path: `${O}/agent/run/unban`, asked: { body: { agent_run_id: (await api.run()).id } } }),
    answerQuestion: async () => ({
      path: `${O}/agent/run/${await state.askingRun()}/answer`,
      asked: { body: { question_id: "q", option_id: "allow" } },
    }),
    listQueue: async () => ({ path: `${O}/agent/run/${(await api.run({ prompt: "Look" })).id}/queue?limit=10` }),
    editTurn: async () => ({
      path: `${O}/agent/run/${(await api.run()).id}/queue/1`,
      asked: { body: { prompt: "Look twice", images: ["data:image/png;base64,AA=="], revision: 0 } },
    }),
    withdrawTurn: async () => ({ path: `${O}/agent/run/${await state.heldRun()}/queue/1` }),
    sendQueue: async () => ({ path: `${O}/agent/run/${await state.heldRun()}/queue/send` }),
    getLogs: async () => ({ path: `${O}/agent/run/${await state.endedRun(3)}/logs?limit=2` }),
    getLogPosition: async () => ({ path: `${O}/agent/run/${await state.endedRun(5)}/logs/position?seq=3` }),
    getLogTools: async () => ({ path: `${O}/agent/run/${await state.endedRun(2)}/logs/tools` }),
    getLogEntry: async () => ({ path: `${O}/agent/run/${await state.endedRun(2)}/logs/2` }),
    getOutline: async () => ({ path: `${O}/agent/run/${await state.endedRun(5)}/logs/outline?buckets=2&to_seq=4` }),
    searchRuns: async () => {
      await state.endedRun(3);
      return { path: `${O}/search?q=thought+3&status=running&page=1&size=5` };
    },
    findInLogs: async () => ({
      path: `${O}/agent/run/${await state.endedRun(5)}/logs/search?q=Thought+4&around_seq=2&buckets=2&wait_ms=20000`,
    }),
    getTimeline: async () => ({
      path: `${O}/agent/run/${await state.endedRun(5)}/logs/timeline?buckets=2&skip_idle=true`,
    }),
    getAnalysis: async () => ({ path: `${O}/agent/run/${await state.endedRun(3)}/analysis` }),
    streamLogs: async () => ({ path: `${O}/agent/run/${await state.endedRun(1)}/logs/stream` }),
    getDiff: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/diff` }),
    getWorkFile: async () => ({ path: `${O}/agent/run/${(await pushableRun(api)).runId}/file?path=a.txt` }),
    pushRun: async () => ({ path: `${O}/agent/run/${(await pushableRun(api)).runId}/push` }),
    openPullRequest: async () => ({
      path: `${O}/agent/run/${(await pushableRun(api)).runId}/pull-request`,
      asked: { body: { title: "Fix it", draft: false } },
    }),
    analyzeLogs: async () => ({ path: `${O}/agent/run/${await state.endedRun(2)}/analyze-logs` }),
    analyzeSandboxLogs: async () => ({ path: `${O}/sandbox/${await state.endedRun(2)}/analyze-logs` }),
    appendLogs: async () => ({
      path: `${O}/agent/run/${await state.externalRun()}/logs`,
      asked: {
        body: {
          entries: [
            { message_type: "USER_MESSAGE", observation: "Go" },
            { message_type: "PLAN_EVALUATION", thought: "Think first." },
          ],
        },
      },
    }),
    updateRun: async () => ({
      path: `${O}/agent/run/${await state.externalRun()}`,
      asked: { body: { status: "running", result: "# All done\n\nIt works." } },
    }),
    openClaudeSession: async () => ({
      path: `${O}/claude_code/session`,
      asked: { body: { session_id: "0e0f7a2e-6f1b-4c2b-8a54-2f7f5b8d9c10" } },
    }),
    logClaudeLine: async () => ({
      path: `${O}/claude_code/session/${await state.claudeSession()}/log`,
      asked: { body: { log: { type: "user", uuid: "1", message: { role: "user", content: "Go" } } } },
    }),
    reportClaudeStatus: async () => ({
      path: `${O}/claude_code/session/${await state.claudeSession()}/status`,
      asked: { body: { status: "COMPLETE" } },
    }),
    postTelemetryLogs: async () => ({
      path: `${O}/telemetry/v1/logs`,
      asked: { body: { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes: [] }] }] }] } },
    }),
    postTelemetryMetrics: async () => ({ path: `${O}/telemetry/v1/metrics`, asked: { body: { resourceMetrics: [] } } }),
    postTelemetryTraces: async () => ({ path: `${O}/telemetry/v1/traces`, asked: { body: { resourceSpans: [] } } }),
    listTelemetry: async () => ({ path: `${O}/agent/run/${await state.telemetryRun()}/telemetry?limit=10` }),
    getTelemetryHealth: async () => ({ path: `${O}/telemetry/health` }),
    getClaudeSession: async () => ({ path: `${O}/claude_code/session/${await state.claudeSession()}` }),
    exportRun: async () => ({ path: `${O}/agent/run/${await state.endedRun(2)}/export` }),
    createShare: async () => ({
      path: `${O}/agent/run/${(await api.run()).id}/shares`,
      asked: { body: { to_seq: 9 } },
    }),
    previewShare: async () => ({ path: `${O}/agent/run/${await state.endedRun(3)}/shares/preview?from_seq=2` }),
    listShares: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/shares` }),
    deleteShare: async () => ({ path: `${O}/shares/${(await state.share()).id}` }),
    getSharedRun: async () => ({ path: `/v1/shares/${(await state.share()).token}` }),
    getSharedLogs: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs?limit=2` }),
    getSharedEntry: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/2` }),
    getSharedOutline: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/outline?buckets=2` }),
    getSharedPosition: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/position?seq=2` }),
    getSharedTools: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/tools` }),
    getSharedTimeline: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/timeline?buckets=2` }),
    findInSharedLogs: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/search?q=thought` }),
    streamSharedLogs: async () => ({ path: `/v1/shares/${(await state.share()).token}/logs/stream` }),
    listRepositories: async () => ({ path: `${O}/repos?q=errand` }),
    createRepository: async () => ({ path: `${O}/repos`, asked: { body: { source: "/srv/git/owner/project.git/" } } }),
    getRepository: async () => ({ path: `${O}/repos/${await state.repository()}` }),
    updateRepository: async () => ({
      path: `${O}/repos/${await state.idleRepository()}`,
      asked: { body: { name: "shop", description: "The shop's web site", fetch_submodules: true } },
    }),
    getNetwork: async () => ({ path: `${O}/network` }),
    putNetwork: async () => ({
      path: `${O}/network`,
      asked: { body: { rules: [{ host: `${randomUUID()}.Example.com`, port: 8443 }, { host: "*.example.com" }] } },
    }),
    getRepositoryNetwork: async () => ({ path: `${O}/repos/${await state.repository()}/network` }),
    putRepositoryNetwork: async () => ({
      path: `${O}/repos/${await state.idleRepository()}/network`,
      asked: { body: { network: "open", rules: [{ host: `${randomUUID()}.example.com`, port: null }] } },
    }),
    changeNetwork: async () => ({
      path: `${O}/network`,
      asked: { body: { add: [{ host: `${randomUUID()}.Example.com` }], remove: [{ host: "gone.example.com" }] } },
    }),
    listRecentDenials: async () => ({ path: `${O}/network/denials?repo_id=${await state.repository()}` }),
    changeRepositoryNetwork: async () => ({
      path: `${O}/repos/${await state.idleRepository()}/network`,
      asked: { body: { network: "allowed", add: [{ host: `${randomUUID()}.example.com`, port: 8443 }] } },
    }),
    listDenials: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/denials` }),
    listKeys: async () => ({ path: `${O}/keys` }),
    signInToAgent: async () => {
      await state.agentToSignIn();
      return { path: `${O}/agents/oauth/sign-in`, asked: { body: { method: "account" } } };
    },
    putKey: async () => ({
      path: `${O}/keys`,
      asked: {
        body: { variable: "MODEL_API_KEY", repo_id: await state.idleRepository(), value: "sk-of-the-model" },
      },
    }),
    deleteKey: async () => {
      const key = { variable: "MODEL_API_KEY", repositoryId: null, sealed: "e1.x.y.z" };
      return { path: `${O}/keys/${(await api.store.agentKeys.put(api.home, key)).id}` };
    },
    getCheckSuiteSettings: async () => ({
      path: `${O}/repos/check-suite-settings?repo_id=${await state.idleRepository()}`,
    }),
    putCheckSuiteSettings: async () => ({
      path: `${O}/repos/check-suite-settings?repo_id=${await state.idleRepository()}`,
      asked: {
        body: {
          check_retry_count: 0,
          ignored_checks: ["coverage"],
          check_retry_counts: { lint: 10 },
          custom_prompts: { lint: "Run npm run format." },
          high_priority_apps: null,
        },
      },
    }),
    getPullSettings: async () => ({ path: `${O}/repos/${await state.repository()}/pull-settings` }),
    putPullSettings: async () => ({
      path: `${O}/repos/${await state.repository()}/pull-settings`,
      asked: { body: { mode: "off", base_branch: "next" } },
    }),
    editPullRequest: async () => ({
      path: `${O}/prs/${(await openedPull(api)).id}`,
      asked: { body: { state: "draft" } },
    }),
    editRepositoryPullRequest: async () => {
      const { id, repositoryId } = await openedPull(api);
      return { path: `${O}/repos/${repositoryId}/prs/${id}`, asked: { body: { state: "draft" } } };
    },
    deleteRepository: async () => ({ path: `${O}/repos/${await state.repository(`/srv/${randomUUID()}`)}` }),
    listBranches: async () => ({ path: `${O}/repos/${await state.repository()}/branches` }),
    getSetup: async () => ({ path: `${O}/repos/${await state.repository()}/setup` }),
    acceptSetup: async () => ({
      path: `${O}/repos/${await state.repository()}/setup`,
      asked: { body: { install: [" npm ci "] } },
    }),
    deleteSetup: async () => ({ path: `${O}/repos/${await state.repository()}/setup` }),
    discardProposal: async () => ({ path: `${O}/repos/${await state.repository()}/setup/proposal` }),
    rebuildSetup: async () => {
      const repository = await state.repository();
      await api.store.setups.change(api.home, repository, SetupCommands.parse({ install: ["npm ci"] }), null);
      return { path: `${O}/repos/${repository}/setup/rebuild` };
    },
    generateSetup: async () => ({
      path: `${O}/setup-commands/generate`,
      asked: { body: { repo_id: await state.idleRepository() } },
    }),
    listAgents: async () => ({ path: `${O}/agents` }),
    getIsolation: async () => ({ path: `${O}/isolation` }),
    listModels: async () => ({ path: `${O}/models` }),
    listTools: async () => ({ path: `${O}/tools` }),
    executeTool: async () => ({
      path: `${O}/tools/execute`,
      asked: { body: { tool_name: "start_run", arguments: { prompt: "Look" }, repo_id: await state.repository() } },
    }),
    generateSlackToken: async () => {
      await state.slack();
      return { path: "/v1/slack-connect/generate-token", asked: { body: { org_id: 1 } } };
    },
    listMcpProviders: async () => ({ path: "/v1/mcp-providers" }),
    listOAuthTokens: async () => ({ path: "/v1/oauth/tokens/status?org_id=1" }),
    revokeOAuthToken: async () => ({ path: "/v1/oauth/tokens/revoke?provider=github&org_id=1" }),
    listIntegrations: async () => {
      await state.integration();
      return { path: `${O}/integrations` };
    },
    putIntegration: async () => ({
      path: `${O}/integrations/github`,
      asked: { body: { base_url: state.hostAddress, token: "ghp_1", settings: { mention: "robot" } } },
    }),
    deleteIntegration: async () => ({ path: `${O}/integrations/${await state.integration()}` }),
    testIntegration: async () => ({ path: `${O}/integrations/${await state.integration()}/test` }),
    listLinks: async () => ({ path: `${O}/integrations/${(await state.linked()).type}/links` }),
    putLink: async () => ({
      path: `${O}/integrations/${(await state.linked()).type}/links`,
      asked: { body: { external_id: "U2", user_id: 1 } },
    }),
    deleteLink: async () => {
      const { type, externalId } = await state.linked();
      return { path: `${O}/integrations/${type}/links/${externalId}` };
    },
    createLinkCode: async () => ({ path: `${O}/integrations/${(await state.linked()).type}/link-code` }),
    receiveEvent: () => state.event(),
    listOrganizations: async () => ({ path: "/v1/organizations" }),
    createOrganization: async () => ({ path: "/v1/organizations", asked: { body: { name: "Another" } } }),
    findRunOrganization: async () => ({ path: `/v1/agent/run/${(await api.run()).id}/organization` }),
    getSession: async () => ({ path: "/v1/session" }),
    chooseOrganization: async () => ({ path: "/v1/session", asked: { body: { organization_id: 1 } } }),
    getSettings: async () => ({ path: `${O}/settings` }),
    changeSettings: async () => ({
      path: `${O}/settings`,
      asked: { body: { rules: `Use tabs. ${Math.random()}`, default_turn_timeout_s: 600, name: "Home" } },
    }),
    getStorage: async () => ({ path: `${O}/storage` }),
    previewRetention: async () => ({
      path: `${O}/storage/preview`,
      asked: { body: { keep_runs_days: 90, keep_runs_gb: 0.5, keep_checkouts_days: null } },
    }),
    getCliRules: async () => ({ path: `${O}/cli/rules` }),
    getMe: async () => ({ path: "/v1/users/me" }),
    listUsers: async () => ({ path: `${O}/users` }),
    getUser: async () => ({ path: `${O}/users/1` }),
    listAudit: async () => ({
      path: `${O}/audit?act=token.created,share.created&actor=token&since=2026-01-01T00:00:00Z`,
    }),
    updateMember: async () => ({
      path: `${O}/users/${(await api.member("viewer")).userId}`,
      asked: { body: { role: "member" } },
    }),
    removeMember: async () => ({ path: `${O}/users/${(await api.member("admin")).userId}` }),
    createPasswordReset: async () => ({ path: `${O}/users/${(await api.member("member")).userId}/reset` }),
    getPasswordReset: async () => ({ path: `/v1/resets/${await state.resetCode()}` }),
    resetPassword: async () => ({
      path: `/v1/resets/${await state.resetCode()}`,
      asked: { body: { password: "another long password" } },
    }),
    listInvitations: async () => {
      await state.invitation();
      return { path: `${O}/invitations?limit=5` };
    },
    createInvitation: async () => ({
      path: `${O}/invitations`,
      asked: { body: { role: "admin", days: 3, note: "Grace" } },
    }),
    deleteInvitation: async () => ({ path: `${O}/invitations/${(await state.invitation()).id}` }),
    getInvitation: async () => ({ path: `/v1/invitations/${(await state.invitation()).code}` }),
    acceptInvitation: async () => ({
      path: `/v1/invitations/${(await state.invitation()).code}/accept`,
      asked: { body: state.newcomer() },
    }),
    updateMe: async () => ({
      path: "/v1/users/me",
      asked: { ...(await state.browser()), body: { full_name: "Ada Lovelace" } },
    }),
    changePassword: async () => ({
      path: "/v1/users/me/password",
      asked: {
        ...(await state.browser()),
        body: { current_password: memberPassword, password: "another long password" },
      },
    }),
    listSessions: async () => ({ path: "/v1/users/me/sessions", asked: await state.browser() }),
    endOtherSessions: async () => ({ path: "/v1/users/me/sessions", asked: await state.browser() }),
    listTokens: async () => ({ path: `${O}/tokens` }),
    createToken: async () => ({ path: `${O}/tokens`, asked: { body: { name: "ci", role: "viewer", days: 3 } } }),
    deleteToken: async () => {
      const made = await api.ask("POST", `${O}/tokens`, { token: await api.token(), body: { name: "old" } });
      return { path: `${O}/tokens/${made.json.id}` };
    },
    getWebhook: async () => ({ path: `${O}/webhooks/agent-run` }),
    setWebhook: async () => ({
      path: `${O}/webhooks/agent-run`,
      asked: { body: { url: "https://hooks.example/errand", events: ["run.waiting", "run.finished"] } },
    }),
    deleteWebhook: async () => ({ path: `${O}/webhooks/agent-run` }),
    testWebhook: async () => ({
      path: `${O}/webhooks/agent-run/test`,
      // Nobody listens there: that is a result, not an error.
      asked: { body: { url: "http://127.0.0.1:9/hook" } },
    }),
    listWebhookEndpoints: async () => ({ path: `${O}/webhooks/endpoints` }),
    createWebhookEndpoint: async () => {
      for (const { id } of await api.store.webhooks.list(api.home)) await api.store.webhooks.remove(api.home, id);
      const body = { url: "https://hooks.example/two", events: ["run.started"], description: "Deployments" };
      return { path: `${O}/webhooks/endpoints`, asked: { body } };
    },
    getWebhookEndpoint: async () => ({ path: `${O}/webhooks/endpoints/${await state.webhook()}` }),
    updateWebhookEndpoint: async () => ({
      path: `${O}/webhooks/endpoints/${await state.webhook()}`,
      asked: { body: { events: ["run.waiting"], rotate_secret: true } },
    }),
    deleteWebhookEndpoint: async () => ({ path: `${O}/webhooks/endpoints/${await state.webhook("new")}` }),
    listEvents: async () => {
      await state.delivery();
      return { path: `${O}/events?after=0&limit=2&type=run.finished,run.waiting` };
    },
    listDeliveries: async () => {
      await state.delivery();
      return { path: `${O}/webhooks/deliveries?state=pending&page=1&size=5` };
    },
    resendDelivery: async () => ({ path: `${O}/webhooks/deliveries/${await state.delivery()}/resend` }),
    signIn: async () => ({ path: "/v1/session", asked: { body: { code: await state.signInCode() } } }),
    signInWithPassword: async () => ({
      path: "/v1/session/password",
      asked: { body: { email: (await api.member("member")).email, password: memberPassword } },
    }),
    getOidc: async () => ({ path: "/v1/session/oidc" }),
    startOidc: async () => ({ path: "/v1/session/oidc/start" }),
    finishOidc: async () => {
      const { json } = await api.asked("POST", "/v1/session/oidc/start");
      const state = new URL(String(json.url)).searchParams.get("state");
      const body = { query: `code=somebody&state=${state}`, browser_secret: json.browser_secret };
      return { path: "/v1/session/oidc", asked: { body } };
    },
    signOut: async () => ({ path: "/v1/session" }),
    getOpenapi: async () => ({ path: "/v1/openapi.json" }),
    getHealth: async () => ({ path: "/healthz" }),
    getReadiness: async () => {
      await api.store.queue.beat("engine");
      return { path: "/readyz" };
    },
  };
}

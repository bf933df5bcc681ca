import type { MediaType, Method } from "./operation.ts";

/** Address of an operation. `{name}` stands for a parameter; `resultType` is the media type of its response. */
export type Address = { method: Method; path: `/${string}`; resultType: MediaType };

type AddressText = `${Method} ${string}`;

/**
 * The API at a glance: the address of every operation by its tag, in the order of the documentation, as method, path, and media type if it is not JSON.
 * A path without a leading slash is relative to `/v1/organizations/{org_id}/`. `defineOperation` and the browser, which does not load
 * the schemas (ARCHITECTURE.md), read them here. Other paths of the same operation are its `aliases`.
 */
export const addressesByTag = {
  "Agent runs": {
    createRun: "POST agent/run",
    getRun: "GET agent/run/{agent_run_id}",
    updateRun: "PATCH agent/run/{agent_run_id}",
    deleteRun: "DELETE agent/run/{agent_run_id}",
    listRuns: "GET agent/runs",
    searchRuns: "GET search",
    resumeRun: "POST agent/run/resume",
    cancelRuns: "POST agent/runs/cancel",
    cancelRun: "POST agent/run/{agent_run_id}/cancel",
    stopRun: "POST /v1/beta/organizations/{org_id}/agent/run/stop",
    banRun: "POST agent/run/ban",
    removeFromPullRequest: "POST agent/run/remove-from-pr",
    unbanRun: "POST agent/run/unban",
    answerQuestion: "POST agent/run/{agent_run_id}/answer",
    listQueue: "GET agent/run/{agent_run_id}/queue",
    editTurn: "PATCH agent/run/{agent_run_id}/queue/{turn}",
    withdrawTurn: "DELETE agent/run/{agent_run_id}/queue/{turn}",
    sendQueue: "POST agent/run/{agent_run_id}/queue/send",
  },
  "Run logs": {
    getLogs: "GET agent/run/{agent_run_id}/logs",
    getLogEntry: "GET agent/run/{agent_run_id}/logs/{seq}",
    getLogPosition: "GET agent/run/{agent_run_id}/logs/position",
    getLogTools: "GET agent/run/{agent_run_id}/logs/tools",
    getOutline: "GET agent/run/{agent_run_id}/logs/outline",
    getTimeline: "GET agent/run/{agent_run_id}/logs/timeline",
    findInLogs: "GET agent/run/{agent_run_id}/logs/search",
    streamLogs: "GET agent/run/{agent_run_id}/logs/stream text/event-stream",
    exportRun: "GET agent/run/{agent_run_id}/export",
    getAnalysis: "GET agent/run/{agent_run_id}/analysis",
    analyzeLogs: "POST agent/run/{agent_run_id}/analyze-logs",
    analyzeSandboxLogs: "POST sandbox/{sandbox_id}/analyze-logs",
    listDenials: "GET agent/run/{agent_run_id}/denials",
    appendLogs: "POST agent/run/{agent_run_id}/logs",
  },
  "Changes and pull requests": {
    getDiff: "GET agent/run/{agent_run_id}/diff text/x-diff",
    getWorkFile: "GET agent/run/{agent_run_id}/file",
    pushRun: "POST agent/run/{agent_run_id}/push",
    openPullRequest: "POST agent/run/{agent_run_id}/pull-request",
    editPullRequest: "PATCH prs/{pr_id}",
    editRepositoryPullRequest: "PATCH repos/{repo_id}/prs/{pr_id}",
  },
  "Claude Code": {
    openClaudeSession: "POST claude_code/session",
    logClaudeLine: "POST claude_code/session/{session_id}/log",
    reportClaudeStatus: "POST claude_code/session/{session_id}/status",
    getClaudeSession: "GET claude_code/session/{session_id}",
    postTelemetryLogs: "POST telemetry/v1/logs",
    postTelemetryMetrics: "POST telemetry/v1/metrics",
    postTelemetryTraces: "POST telemetry/v1/traces",
    getTelemetryHealth: "GET telemetry/health",
    listTelemetry: "GET agent/run/{agent_run_id}/telemetry",
  },
  "Share links": {
    createShare: "POST agent/run/{agent_run_id}/shares",
    previewShare: "GET agent/run/{agent_run_id}/shares/preview",
    listShares: "GET agent/run/{agent_run_id}/shares",
    deleteShare: "DELETE shares/{share_id}",
    getSharedRun: "GET /v1/shares/{share_token}",
    getSharedLogs: "GET /v1/shares/{share_token}/logs",
    getSharedEntry: "GET /v1/shares/{share_token}/logs/{seq}",
    getSharedOutline: "GET /v1/shares/{share_token}/logs/outline",
    getSharedPosition: "GET /v1/shares/{share_token}/logs/position",
    getSharedTools: "GET /v1/shares/{share_token}/logs/tools",
    getSharedTimeline: "GET /v1/shares/{share_token}/logs/timeline",
    findInSharedLogs: "GET /v1/shares/{share_token}/logs/search",
    streamSharedLogs: "GET /v1/shares/{share_token}/logs/stream text/event-stream",
  },
  Repositories: {
    listRepositories: "GET repos",
    createRepository: "POST repos",
    getRepository: "GET repos/{repo_id}",
    updateRepository: "PATCH repos/{repo_id}",
    deleteRepository: "DELETE repos/{repo_id}",
    listBranches: "GET repos/{repo_id}/branches",
    getCheckSuiteSettings: "GET repos/check-suite-settings",
    putCheckSuiteSettings: "PUT repos/check-suite-settings",
    getPullSettings: "GET repos/{repo_id}/pull-settings",
    putPullSettings: "PUT repos/{repo_id}/pull-settings",
    getRepositoryNetwork: "GET repos/{repo_id}/network",
    putRepositoryNetwork: "PUT repos/{repo_id}/network",
    changeRepositoryNetwork: "PATCH repos/{repo_id}/network",
    getSetup: "GET repos/{repo_id}/setup",
    acceptSetup: "PUT repos/{repo_id}/setup",
    deleteSetup: "DELETE repos/{repo_id}/setup",
    discardProposal: "DELETE repos/{repo_id}/setup/proposal",
    rebuildSetup: "POST repos/{repo_id}/setup/rebuild",
    generateSetup: "POST setup-commands/generate",
  },
  Agents: {
    listAgents: "GET agents",
    signInToAgent: "POST agents/{agent_id}/sign-in",
    getIsolation: "GET isolation",
    listKeys: "GET keys",
    putKey: "PUT keys",
    deleteKey: "DELETE keys/{key_id}",
    listModels: "GET models",
  },
  Tools: {
    listTools: "GET tools",
    executeTool: "POST tools/execute",
  },
  Integrations: {
    listIntegrations: "GET integrations",
    putIntegration: "PUT integrations/{type}",
    deleteIntegration: "DELETE integrations/{type}",
    testIntegration: "POST integrations/{type}/test",
    listLinks: "GET integrations/{type}/links",
    putLink: "PUT integrations/{type}/links",
    deleteLink: "DELETE integrations/{type}/links/{external_id}",
    createLinkCode: "POST integrations/{type}/link-code",
    generateSlackToken: "POST /v1/slack-connect/generate-token",
    listMcpProviders: "GET /v1/mcp-providers",
    listOAuthTokens: "GET /v1/oauth/tokens/status",
    revokeOAuthToken: "POST /v1/oauth/tokens/revoke",
    receiveEvent: "POST /v1/hooks/{integration_id}",
  },
  "Organizations and users": {
    listOrganizations: "GET /v1/organizations",
    createOrganization: "POST /v1/organizations",
    findRunOrganization: "GET /v1/agent/run/{agent_run_id}/organization",
    getSettings: "GET settings",
    changeSettings: "PATCH settings",
    getStorage: "GET storage",
    previewRetention: "POST storage/preview",
    getCliRules: "GET cli/rules",
    getNetwork: "GET network",
    putNetwork: "PUT network",
    changeNetwork: "PATCH network",
    listRecentDenials: "GET network/denials",
    getMe: "GET /v1/users/me",
    listUsers: "GET users",
    getUser: "GET users/{user_id}",
    listAudit: "GET audit",
  },
  People: {
    updateMember: "PATCH users/{user_id}",
    removeMember: "DELETE users/{user_id}",
    createPasswordReset: "POST users/{user_id}/reset",
    getPasswordReset: "GET /v1/resets/{code}",
    resetPassword: "POST /v1/resets/{code}",
    listInvitations: "GET invitations",
    createInvitation: "POST invitations",
    deleteInvitation: "DELETE invitations/{invitation_id}",
    getInvitation: "GET /v1/invitations/{code}",
    acceptInvitation: "POST /v1/invitations/{code}/accept",
    updateMe: "PATCH /v1/users/me",
    changePassword: "PUT /v1/users/me/password",
    listSessions: "GET /v1/users/me/sessions",
    endOtherSessions: "DELETE /v1/users/me/sessions",
  },
  Tokens: {
    listTokens: "GET tokens",
    createToken: "POST tokens",
    deleteToken: "DELETE tokens/{token_id}",
  },
  Webhooks: {
    getWebhook: "GET webhooks/agent-run",
    setWebhook: "POST webhooks/agent-run",
    deleteWebhook: "DELETE webhooks/agent-run",
    testWebhook: "POST webhooks/agent-run/test",
    listWebhookEndpoints: "GET webhooks/endpoints",
    createWebhookEndpoint: "POST webhooks/endpoints",
    getWebhookEndpoint: "GET webhooks/endpoints/{endpoint_id}",
    updateWebhookEndpoint: "PATCH webhooks/endpoints/{endpoint_id}",
    deleteWebhookEndpoint: "DELETE webhooks/endpoints/{endpoint_id}",
    listEvents: "GET events",
    listDeliveries: "GET webhooks/deliveries",
    resendDelivery: "POST webhooks/deliveries/{delivery_id}/resend",
  },
  Session: {
    signIn: "POST /v1/session",
    getOidc: "GET /v1/session/oidc",
    startOidc: "POST /v1/session/oidc/start",
    finishOidc: "POST /v1/session/oidc",
    signInWithPassword: "POST /v1/session/password",
    getSession: "GET /v1/session",
    chooseOrganization: "PATCH /v1/session",
    signOut: "DELETE /v1/session",
  },
  Service: {
    getOpenapi: "GET /v1/openapi.json",
    getHealth: "GET /healthz",
    getReadiness: "GET /readyz",
  },
} as const satisfies Record<string, Record<string, AddressText>>;

export type Tag = keyof typeof addressesByTag;
type Group = (typeof addressesByTag)[Tag];
type KeyOf<T> = T extends unknown ? keyof T : never;

/** Id of an operation, used wherever it is called, documented or defined. */
export type OperationId = KeyOf<Group>;

/** The address of every operation. */
export const addresses = Object.fromEntries(
  Object.values<Record<string, AddressText>>(addressesByTag).flatMap((group) =>
    Object.entries(group).map(([id, written]) => [id, addressOf(written)]),
  ),
  // Every id of the groups is there.
) as Record<OperationId, Address>;

function addressOf(written: AddressText): Address {
  const [method, path = "", resultType = "application/json"] = written.split(" ");
  const whole = path.startsWith("/") ? path : `/v1/organizations/{org_id}/${path}`;
  // Its form is checked by `AddressText`.
  return { method, path: whole, resultType } as Address;
}

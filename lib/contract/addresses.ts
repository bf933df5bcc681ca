import type { MediaType, Method } from "./operation.ts";

/** Address of an operation. `{name}` stands for a parameter; `resultType` is the media type of its response, JSON by default. */
export type Address = { method: Method; path: `/${string}`; resultType?: MediaType };

/**
 * The API at a glance: the address of every operation. `defineOperation` takes it from here, and so does the browser, which has
 * no schemas (ARCHITECTURE.md). Further paths that do the same are `aliases` of the operation.
 */
export const addresses = {
  // Agent runs
  createRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run" },
  getRun: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}" },
  deleteRun: { method: "DELETE", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}" },
  listRuns: { method: "GET", path: "/v1/organizations/{org_id}/agent/runs" },
  searchRuns: { method: "GET", path: "/v1/organizations/{org_id}/search" },
  resumeRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/resume" },
  cancelRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/cancel" },
  stopRun: { method: "POST", path: "/v1/beta/organizations/{org_id}/agent/run/stop" },
  banRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/ban" },
  removeFromPullRequest: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/remove-from-pr" },
  unbanRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/unban" },
  answerQuestion: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/answer" },
  listQueue: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/queue" },
  editTurn: { method: "PATCH", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/queue/{turn}" },
  withdrawTurn: { method: "DELETE", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/queue/{turn}" },
  sendQueue: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/queue/send" },
  getLogs: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs" },
  getLogEntry: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/{seq}" },
  getLogPosition: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/position" },
  getLogTools: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/tools" },
  getOutline: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/outline" },
  getTimeline: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/timeline" },
  getAnalysis: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/analysis" },
  findInLogs: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/search" },
  streamLogs: {
    method: "GET",
    path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/stream",
    resultType: "text/event-stream",
  },
  getDiff: {
    method: "GET",
    path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/diff",
    resultType: "text/x-diff",
  },
  getWorkFile: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/file" },
  pushRun: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/push" },
  exportRun: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/export" },
  listDenials: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/denials" },
  analyzeLogs: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/analyze-logs" },
  analyzeSandboxLogs: { method: "POST", path: "/v1/organizations/{org_id}/sandbox/{sandbox_id}/analyze-logs" },
  appendLogs: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs" },
  updateRun: { method: "PATCH", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}" },

  // Claude Code
  openClaudeSession: { method: "POST", path: "/v1/organizations/{org_id}/claude_code/session" },
  logClaudeLine: { method: "POST", path: "/v1/organizations/{org_id}/claude_code/session/{session_id}/log" },
  reportClaudeStatus: { method: "POST", path: "/v1/organizations/{org_id}/claude_code/session/{session_id}/status" },
  getClaudeSession: { method: "GET", path: "/v1/organizations/{org_id}/claude_code/session/{session_id}" },
  postTelemetryLogs: { method: "POST", path: "/v1/organizations/{org_id}/telemetry/v1/logs" },
  postTelemetryMetrics: { method: "POST", path: "/v1/organizations/{org_id}/telemetry/v1/metrics" },
  getTelemetryHealth: { method: "GET", path: "/v1/organizations/{org_id}/telemetry/health" },
  listTelemetry: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/telemetry" },

  // Share links
  createShare: { method: "POST", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/shares" },
  previewShare: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/shares/preview" },
  listShares: { method: "GET", path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/shares" },
  deleteShare: { method: "DELETE", path: "/v1/organizations/{org_id}/shares/{share_id}" },
  getSharedRun: { method: "GET", path: "/v1/shares/{share_token}" },
  getSharedLogs: { method: "GET", path: "/v1/shares/{share_token}/logs" },
  getSharedEntry: { method: "GET", path: "/v1/shares/{share_token}/logs/{seq}" },
  getSharedOutline: { method: "GET", path: "/v1/shares/{share_token}/logs/outline" },
  getSharedPosition: { method: "GET", path: "/v1/shares/{share_token}/logs/position" },
  getSharedTools: { method: "GET", path: "/v1/shares/{share_token}/logs/tools" },
  getSharedTimeline: { method: "GET", path: "/v1/shares/{share_token}/logs/timeline" },
  findInSharedLogs: { method: "GET", path: "/v1/shares/{share_token}/logs/search" },
  streamSharedLogs: { method: "GET", path: "/v1/shares/{share_token}/logs/stream", resultType: "text/event-stream" },

  // Repositories
  listRepositories: { method: "GET", path: "/v1/organizations/{org_id}/repos" },
  createRepository: { method: "POST", path: "/v1/organizations/{org_id}/repos" },
  getRepository: { method: "GET", path: "/v1/organizations/{org_id}/repos/{repo_id}" },
  updateRepository: { method: "PATCH", path: "/v1/organizations/{org_id}/repos/{repo_id}" },
  deleteRepository: { method: "DELETE", path: "/v1/organizations/{org_id}/repos/{repo_id}" },
  listBranches: { method: "GET", path: "/v1/organizations/{org_id}/repos/{repo_id}/branches" },
  getCheckSuiteSettings: { method: "GET", path: "/v1/organizations/{org_id}/repos/check-suite-settings" },
  putCheckSuiteSettings: { method: "PUT", path: "/v1/organizations/{org_id}/repos/check-suite-settings" },
  getPullSettings: { method: "GET", path: "/v1/organizations/{org_id}/repos/{repo_id}/pull-settings" },
  putPullSettings: { method: "PUT", path: "/v1/organizations/{org_id}/repos/{repo_id}/pull-settings" },
  getRepositoryNetwork: { method: "GET", path: "/v1/organizations/{org_id}/repos/{repo_id}/network" },
  putRepositoryNetwork: { method: "PUT", path: "/v1/organizations/{org_id}/repos/{repo_id}/network" },
  changeRepositoryNetwork: { method: "PATCH", path: "/v1/organizations/{org_id}/repos/{repo_id}/network" },
  getSetup: { method: "GET", path: "/v1/organizations/{org_id}/repos/{repo_id}/setup" },
  acceptSetup: { method: "PUT", path: "/v1/organizations/{org_id}/repos/{repo_id}/setup" },
  deleteSetup: { method: "DELETE", path: "/v1/organizations/{org_id}/repos/{repo_id}/setup" },
  discardProposal: { method: "DELETE", path: "/v1/organizations/{org_id}/repos/{repo_id}/setup/proposal" },
  rebuildSetup: { method: "POST", path: "/v1/organizations/{org_id}/repos/{repo_id}/setup/rebuild" },
  generateSetup: { method: "POST", path: "/v1/organizations/{org_id}/setup-commands/generate" },

  // Pull requests
  openPullRequest: {
    method: "POST",
    path: "/v1/organizations/{org_id}/agent/run/{agent_run_id}/pull-request",
  },
  editPullRequest: { method: "PATCH", path: "/v1/organizations/{org_id}/prs/{pr_id}" },
  editRepositoryPullRequest: { method: "PATCH", path: "/v1/organizations/{org_id}/repos/{repo_id}/prs/{pr_id}" },

  // Agents
  listAgents: { method: "GET", path: "/v1/organizations/{org_id}/agents" },
  signInToAgent: { method: "POST", path: "/v1/organizations/{org_id}/agents/{agent_id}/sign-in" },
  getIsolation: { method: "GET", path: "/v1/organizations/{org_id}/isolation" },
  listKeys: { method: "GET", path: "/v1/organizations/{org_id}/keys" },
  putKey: { method: "PUT", path: "/v1/organizations/{org_id}/keys" },
  deleteKey: { method: "DELETE", path: "/v1/organizations/{org_id}/keys/{key_id}" },
  listModels: { method: "GET", path: "/v1/organizations/{org_id}/models" },

  // Tools
  listTools: { method: "GET", path: "/v1/organizations/{org_id}/tools" },
  executeTool: { method: "POST", path: "/v1/organizations/{org_id}/tools/execute" },

  // Integrations
  listIntegrations: { method: "GET", path: "/v1/organizations/{org_id}/integrations" },
  putIntegration: { method: "PUT", path: "/v1/organizations/{org_id}/integrations/{type}" },
  deleteIntegration: { method: "DELETE", path: "/v1/organizations/{org_id}/integrations/{type}" },
  testIntegration: { method: "POST", path: "/v1/organizations/{org_id}/integrations/{type}/test" },
  listLinks: { method: "GET", path: "/v1/organizations/{org_id}/integrations/{type}/links" },
  putLink: { method: "PUT", path: "/v1/organizations/{org_id}/integrations/{type}/links" },
  deleteLink: { method: "DELETE", path: "/v1/organizations/{org_id}/integrations/{type}/links/{external_id}" },
  createLinkCode: { method: "POST", path: "/v1/organizations/{org_id}/integrations/{type}/link-code" },
  generateSlackToken: { method: "POST", path: "/v1/slack-connect/generate-token" },
  listMcpProviders: { method: "GET", path: "/v1/mcp-providers" },
  listOAuthTokens: { method: "GET", path: "/v1/oauth/tokens/status" },
  revokeOAuthToken: { method: "POST", path: "/v1/oauth/tokens/revoke" },
  receiveEvent: { method: "POST", path: "/v1/hooks/{integration_id}" },

  // Organizations and users
  listOrganizations: { method: "GET", path: "/v1/organizations" },
  createOrganization: { method: "POST", path: "/v1/organizations" },
  findRunOrganization: { method: "GET", path: "/v1/agent/run/{agent_run_id}/organization" },
  getSettings: { method: "GET", path: "/v1/organizations/{org_id}/settings" },
  changeSettings: { method: "PATCH", path: "/v1/organizations/{org_id}/settings" },
  getStorage: { method: "GET", path: "/v1/organizations/{org_id}/storage" },
  previewRetention: { method: "POST", path: "/v1/organizations/{org_id}/storage/preview" },
  getCliRules: { method: "GET", path: "/v1/organizations/{org_id}/cli/rules" },
  getNetwork: { method: "GET", path: "/v1/organizations/{org_id}/network" },
  putNetwork: { method: "PUT", path: "/v1/organizations/{org_id}/network" },
  changeNetwork: { method: "PATCH", path: "/v1/organizations/{org_id}/network" },
  listRecentDenials: { method: "GET", path: "/v1/organizations/{org_id}/network/denials" },
  getMe: { method: "GET", path: "/v1/users/me" },
  listUsers: { method: "GET", path: "/v1/organizations/{org_id}/users" },
  getUser: { method: "GET", path: "/v1/organizations/{org_id}/users/{user_id}" },
  listAudit: { method: "GET", path: "/v1/organizations/{org_id}/audit" },

  // People
  updateMember: { method: "PATCH", path: "/v1/organizations/{org_id}/users/{user_id}" },
  removeMember: { method: "DELETE", path: "/v1/organizations/{org_id}/users/{user_id}" },
  createPasswordReset: { method: "POST", path: "/v1/organizations/{org_id}/users/{user_id}/reset" },
  getPasswordReset: { method: "GET", path: "/v1/resets/{code}" },
  resetPassword: { method: "POST", path: "/v1/resets/{code}" },
  listInvitations: { method: "GET", path: "/v1/organizations/{org_id}/invitations" },
  createInvitation: { method: "POST", path: "/v1/organizations/{org_id}/invitations" },
  deleteInvitation: { method: "DELETE", path: "/v1/organizations/{org_id}/invitations/{invitation_id}" },
  getInvitation: { method: "GET", path: "/v1/invitations/{code}" },
  acceptInvitation: { method: "POST", path: "/v1/invitations/{code}/accept" },
  updateMe: { method: "PATCH", path: "/v1/users/me" },
  changePassword: { method: "PUT", path: "/v1/users/me/password" },
  listSessions: { method: "GET", path: "/v1/users/me/sessions" },
  endOtherSessions: { method: "DELETE", path: "/v1/users/me/sessions" },

  // Tokens
  listTokens: { method: "GET", path: "/v1/organizations/{org_id}/tokens" },
  createToken: { method: "POST", path: "/v1/organizations/{org_id}/tokens" },
  deleteToken: { method: "DELETE", path: "/v1/organizations/{org_id}/tokens/{token_id}" },

  // Webhooks
  getWebhook: { method: "GET", path: "/v1/organizations/{org_id}/webhooks/agent-run" },
  setWebhook: { method: "POST", path: "/v1/organizations/{org_id}/webhooks/agent-run" },
  deleteWebhook: { method: "DELETE", path: "/v1/organizations/{org_id}/webhooks/agent-run" },
  testWebhook: { method: "POST", path: "/v1/organizations/{org_id}/webhooks/agent-run/test" },
  listDeliveries: { method: "GET", path: "/v1/organizations/{org_id}/webhooks/deliveries" },
  resendDelivery: { method: "POST", path: "/v1/organizations/{org_id}/webhooks/deliveries/{delivery_id}/resend" },

  // Session
  signIn: { method: "POST", path: "/v1/session" },
  getOidc: { method: "GET", path: "/v1/session/oidc" },
  startOidc: { method: "POST", path: "/v1/session/oidc/start" },
  finishOidc: { method: "POST", path: "/v1/session/oidc" },
  signInWithPassword: { method: "POST", path: "/v1/session/password" },
  getSession: { method: "GET", path: "/v1/session" },
  chooseOrganization: { method: "PATCH", path: "/v1/session" },
  signOut: { method: "DELETE", path: "/v1/session" },

  // Service
  getOpenapi: { method: "GET", path: "/v1/openapi.json" },
  getHealth: { method: "GET", path: "/healthz" },
  getReadiness: { method: "GET", path: "/readyz" },
} as const satisfies Record<string, Address>;

/** Id of an operation, used wherever it is called, documented or defined. */
export type OperationId = keyof typeof addresses;

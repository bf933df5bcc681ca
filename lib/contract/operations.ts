import type { OperationId } from "./addresses.ts";
import { listAgents, signInToAgent } from "./agent.ts";
import { deleteKey, listKeys, putKey } from "./agent-key.ts";
import { getAnalysis } from "./analysis.ts";
import { analyzeLogs, analyzeSandboxLogs } from "./analyze-logs.ts";
import { listAudit } from "./audit.ts";
import { getCheckSuiteSettings, putCheckSuiteSettings } from "./check-suite.ts";
import { getClaudeSession, logClaudeLine, openClaudeSession, reportClaudeStatus } from "./claude-code.ts";
import { exportRun } from "./export.ts";
import { findInLogs } from "./find.ts";
import { receiveEvent } from "./hook.ts";
import { appendLogs, updateRun } from "./ingest.ts";
import { deleteIntegration, listIntegrations, putIntegration, testIntegration } from "./integration.ts";
import { acceptInvitation, createInvitation, deleteInvitation, getInvitation, listInvitations } from "./invitation.ts";
import { getIsolation } from "./isolation.ts";
import { createLinkCode, deleteLink, listLinks, putLink } from "./link.ts";
import { getLogPosition } from "./log-position.ts";
import { getLogTools } from "./log-tools.ts";
import { createPasswordReset, getPasswordReset, removeMember, resetPassword, updateMember } from "./member.ts";
import { listModels } from "./model-list.ts";
import {
  changeNetwork,
  changeRepositoryNetwork,
  getNetwork,
  getRepositoryNetwork,
  listDenials,
  listRecentDenials,
  putNetwork,
  putRepositoryNetwork,
} from "./network.ts";
import { listMcpProviders, listOAuthTokens, revokeOAuthToken } from "./oauth.ts";
import { finishOidc, getOidc, startOidc } from "./oidc.ts";
import type { AnyOperation } from "./operation.ts";
import { getMe, getUser, listOrganizations, listUsers } from "./organization.ts";
import { changeSettings, getCliRules, getSettings } from "./organization-settings.ts";
import { getOutline } from "./outline.ts";
import { chooseOrganization, createOrganization, findRunOrganization, getSession } from "./own-organizations.ts";
import { changePassword, endOtherSessions, listSessions, updateMe } from "./profile.ts";
import { editPullRequest, editRepositoryPullRequest, openPullRequest } from "./pull-request.ts";
import { getPullSettings, putPullSettings } from "./pull-settings.ts";
import { pushRun } from "./push.ts";
import {
  createRepository,
  deleteRepository,
  getRepository,
  listBranches,
  listRepositories,
  updateRepository,
} from "./repository.ts";
import { banRun, removeFromPullRequest, unbanRun } from "./run-ban.ts";
import * as runs from "./run-operations.ts";
import { editTurn, listQueue, sendQueue, withdrawTurn } from "./run-queue.ts";
import { searchRuns } from "./search.ts";
import { getHealth, getOpenapi, getReadiness } from "./service-operations.ts";
import { signIn, signInWithPassword, signOut } from "./session.ts";
import { acceptSetup, deleteSetup, discardProposal, generateSetup, getSetup, rebuildSetup } from "./setup.ts";
import { createShare, deleteShare, listShares, previewShare } from "./share.ts";
import * as shared from "./shared-run.ts";
import { generateSlackToken } from "./slack-connect.ts";
import { getStorage, previewRetention } from "./storage.ts";
import { getTelemetryHealth, listTelemetry, postTelemetryLogs, postTelemetryMetrics } from "./telemetry.ts";
import { getTimeline } from "./timeline.ts";
import { createToken, deleteToken, listTokens } from "./token.ts";
import { executeTool, listTools } from "./tool.ts";
import * as webhooks from "./webhook-operations.ts";
import { getDiff, getWorkFile } from "./work.ts";

const all = [
  runs.createRun,
  runs.getRun,
  runs.deleteRun,
  runs.listRuns,
  searchRuns,
  runs.resumeRun,
  runs.cancelRun,
  runs.stopRun,
  banRun,
  removeFromPullRequest,
  unbanRun,
  runs.answerQuestion,
  listQueue,
  editTurn,
  withdrawTurn,
  sendQueue,
  runs.getLogs,
  runs.getLogEntry,
  getLogPosition,
  getLogTools,
  getOutline,
  getTimeline,
  getAnalysis,
  findInLogs,
  runs.streamLogs,
  getDiff,
  getWorkFile,
  pushRun,
  exportRun,
  listDenials,
  analyzeLogs,
  analyzeSandboxLogs,
  appendLogs,
  updateRun,
  openClaudeSession,
  logClaudeLine,
  reportClaudeStatus,
  getClaudeSession,
  postTelemetryLogs,
  postTelemetryMetrics,
  getTelemetryHealth,
  listTelemetry,
  createShare,
  previewShare,
  listShares,
  deleteShare,
  shared.getSharedRun,
  shared.getSharedLogs,
  shared.getSharedEntry,
  shared.getSharedOutline,
  shared.getSharedPosition,
  shared.getSharedTools,
  shared.getSharedTimeline,
  shared.findInSharedLogs,
  shared.streamSharedLogs,
  listRepositories,
  createRepository,
  getRepository,
  updateRepository,
  deleteRepository,
  listBranches,
  getCheckSuiteSettings,
  putCheckSuiteSettings,
  getPullSettings,
  putPullSettings,
  getRepositoryNetwork,
  putRepositoryNetwork,
  changeRepositoryNetwork,
  openPullRequest,
  editPullRequest,
  editRepositoryPullRequest,
  getSetup,
  acceptSetup,
  deleteSetup,
  discardProposal,
  rebuildSetup,
  generateSetup,
  listAgents,
  signInToAgent,
  getIsolation,
  listKeys,
  putKey,
  deleteKey,
  listModels,
  listTools,
  executeTool,
  listIntegrations,
  putIntegration,
  deleteIntegration,
  testIntegration,
  listLinks,
  putLink,
  deleteLink,
  createLinkCode,
  generateSlackToken,
  listMcpProviders,
  listOAuthTokens,
  revokeOAuthToken,
  receiveEvent,
  listOrganizations,
  createOrganization,
  findRunOrganization,
  getSettings,
  changeSettings,
  getStorage,
  previewRetention,
  getCliRules,
  getNetwork,
  putNetwork,
  changeNetwork,
  listRecentDenials,
  getMe,
  listUsers,
  getUser,
  listAudit,
  updateMember,
  removeMember,
  createPasswordReset,
  getPasswordReset,
  resetPassword,
  listInvitations,
  createInvitation,
  deleteInvitation,
  getInvitation,
  acceptInvitation,
  updateMe,
  changePassword,
  listSessions,
  endOtherSessions,
  listTokens,
  createToken,
  deleteToken,
  webhooks.getWebhook,
  webhooks.setWebhook,
  webhooks.deleteWebhook,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.resendDelivery,
  signIn,
  getOidc,
  startOidc,
  finishOidc,
  signInWithPassword,
  getSession,
  chooseOrganization,
  signOut,
  getOpenapi,
  getHealth,
  getReadiness,
] as const;

/** Ids that have an address but no operation in the list: none, or the compiler names them below. */
type Unlisted = Exclude<OperationId, (typeof all)[number]["id"]>;

/** Every operation of the API, in the order of the documentation. A test compares it with the route files. */
export const operations: AnyOperation[] = [...all] satisfies AnyOperation[] & Record<Unlisted, unknown>;

/** Types of every operation by id: what a call by name takes and returns, according to the schemas. */
export type Operations = { [O in (typeof all)[number] as O["id"]]: O };

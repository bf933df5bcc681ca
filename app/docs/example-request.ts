import { shellQuote } from "#components/runs/create-run-command.ts";
import { fillPath } from "#lib/client/request-path.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";

/** A body for each operation that takes one. A test sends them through the contract. */
export const exampleBodies: Record<string, unknown> = {
  createRun: { prompt: "Fix the failing test", repo_id: 1 },
  resumeRun: { agent_run_id: 1, prompt: "Now write a test for it" },
  stopRun: { agent_run_id: 1 },
  banRun: { agent_run_id: 1 },
  removeFromPullRequest: { agent_run_id: 1 },
  unbanRun: { agent_run_id: 1 },
  answerQuestion: { question_id: "q1", option_id: "allow" },
  editTurn: { prompt: "Now write two tests for it" },
  analyzeLogs: { agent: "claude", prompt: "Why did the tests fail?" },
  analyzeSandboxLogs: {},
  appendLogs: { entries: [{ message_type: "PLAN_EVALUATION", thought: "Read the code first" }] },
  updateRun: { status: "completed", result: "The test passes." },
  openClaudeSession: { session_id: "6e1c3b52-0f5f-4a58-9f4f-6a8f2f1e1a11" },
  logClaudeLine: { log: { type: "user", uuid: "7d2f", message: { role: "user", content: "Fix the failing test" } } },
  postTelemetryLogs: { resourceLogs: [] },
  postTelemetryMetrics: { resourceMetrics: [] },
  reportClaudeStatus: { status: "COMPLETE" },
  acceptSetup: { install: ["npm ci"], build: ["npm run build"], test: ["npm test"], inputs: ["package-lock.json"] },
  generateSetup: { repo_id: 1 },
  createRepository: { source: "/srv/git/project" },
  generateSlackToken: { org_id: 1 },
  executeTool: { tool_name: "start_run", arguments: { prompt: "Fix the failing test" }, repo_id: 1 },
  updateRepository: { description: "The shop's web site" },
  putCheckSuiteSettings: { check_retry_count: 2, ignored_checks: ["coverage"] },
  editPullRequest: { state: "ready_for_review" },
  editRepositoryPullRequest: { state: "closed" },
  putIntegration: { token: "ghp_the-token", settings: { mention: "errand" } },
  updateMember: { role: "admin" },
  setWebhook: { url: "https://hooks.example.com/errand" },
  testWebhook: { url: "https://hooks.example.com/errand" },
  resetPassword: { password: "a long sentence you remember" },
  createInvitation: { role: "member", days: 7, note: "Grace" },
  acceptInvitation: { full_name: "Grace Hopper", email: "grace@example.com", password: "a long sentence you remember" },
  updateMe: { full_name: "Grace Hopper" },
  changePassword: { current_password: "the old one", password: "a long sentence you remember" },
  signInWithPassword: { email: "grace@example.com", password: "a long sentence you remember" },
  createOrganization: { name: "Shop" },
  changeSettings: { rules: "Run the tests before you finish." },
  chooseOrganization: { organization_id: 1 },
  createShare: { outputs: true, days: 7 },
  finishOidc: { query: "code=…&state=…", browser_secret: "…" },
  createToken: { name: "CI", role: "member", days: 90 },
  signIn: { code: "the-code-of-the-link" },
};

const exampleQueries: Record<string, string> = {
  listRuns: "?status=running,waiting&limit=20",
  getLogs: "?skip=0&limit=100",
  streamLogs: "?after=0",
  listDeliveries: "?state=failed",
  previewShare: "?outputs=true",
  listOAuthTokens: "?org_id=1",
  revokeOAuthToken: "?org_id=1&provider=github",
  getCheckSuiteSettings: "?repo_id=1",
  putCheckSuiteSettings: "?repo_id=1",
  getSharedPosition: "?seq=100",
  findInSharedLogs: "?q=needle",
  streamSharedLogs: "?after=0",
};

/** What stands in an example's path where no number does. */
const wordsOf: Record<string, string> = { share_token: "TOKEN", code: "CODE" };

/** A command that calls an operation, for a POSIX shell with the token in `$ERRAND_TOKEN`. */
export function exampleRequest(origin: string, operation: AnyOperation): string {
  const { id, method, path, scope, sessionOnly, resultType } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, wordsOf[name] ?? 1]));
  const url = origin + fillPath(path, params) + (exampleQueries[id] ?? "");
  const isStream = resultType === "text/event-stream";
  const lines = [`curl ${isStream ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}${shellQuote(url)}`];
  if (sessionOnly) lines.push(`  -b "errand_session=$ERRAND_SESSION" -H "Sec-Fetch-Site: same-origin"`);
  else if (scope !== null) lines.push(`  -H "Authorization: Bearer $ERRAND_TOKEN"`);
  if (exampleBodies[id] !== undefined) {
    lines.push(`  -H "Content-Type: application/json"`, `  -d ${shellQuote(JSON.stringify(exampleBodies[id]))}`);
  }
  return lines.join(" \\\n");
}

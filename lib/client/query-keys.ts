/** Keys of the cache, outermost first: invalidating one includes everything below it. */
export const queryKeys = {
  session: ["session"] as const,
  me: ["me"] as const,
  sessions: ["sessions"] as const,
  organizations: ["organizations"] as const,
  organization: (orgId: number) => ["organization", orgId] as const,
  runLists: (orgId: number) => ["organization", orgId, "run-lists"] as const,
  run: (orgId: number, runId: number) => ["organization", orgId, "runs", runId] as const,
  shares: (orgId: number, runId: number) => [...queryKeys.run(orgId, runId), "shares"] as const,
  repositories: (orgId: number) => ["organization", orgId, "repositories"] as const,
  agents: (orgId: number) => ["organization", orgId, "agents"] as const,
  members: (orgId: number) => ["organization", orgId, "members"] as const,
  invitations: (orgId: number) => ["organization", orgId, "invitations"] as const,
  cliRules: (orgId: number) => ["organization", orgId, "cli-rules"] as const,
  tokens: (orgId: number) => ["organization", orgId, "tokens"] as const,
  webhooks: (orgId: number) => ["organization", orgId, "webhooks"] as const,
};

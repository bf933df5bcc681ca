import { accountStore } from "./accounts.ts";
import { agentCommandStore } from "./agent-commands.ts";
import { agentKeyStore } from "./agent-keys.ts";
import { agentRefusalStore } from "./agent-refusals.ts";
import { agentSignInStore } from "./agent-sign-ins.ts";
import { agentStore } from "./agents.ts";
import { analysisStore } from "./analyses.ts";
import { analysisRunStore } from "./analysis-runs.ts";
import { announcementStore } from "./announcements.ts";
import { entryAppender } from "./append-entries.ts";
import { auditStore } from "./audit.ts";
import { claudeSessionStore } from "./claude-sessions.ts";
import { claudeTelemetryStore } from "./claude-telemetry.ts";
import { conversationStore } from "./conversations.ts";
import type { Dialect } from "./dialect.ts";
import { entryStore } from "./entries.ts";
import { externalRunStore } from "./external-runs.ts";
import { figureStore } from "./figures.ts";
import { generateRunStore } from "./generate-runs.ts";
import { identityStore } from "./identities.ts";
import type { Now } from "./instant.ts";
import { integrationStore } from "./integrations.ts";
import { invitationStore } from "./invitations.ts";
import { linkStore } from "./links.ts";
import { localChecksStore } from "./local-checks.ts";
import { mcpServerStore } from "./mcp-servers.ts";
import { memberStore } from "./members.ts";
import { networkStore } from "./networks.ts";
import { settingsStore } from "./organization-settings.ts";
import { organizationStore } from "./organizations.ts";
import { ownOrganizationStore } from "./own-organizations.ts";
import { preparedStore } from "./prepared.ts";
import { pullStore } from "./pulls.ts";
import { queueStore } from "./queue.ts";
import { queuedTurnStore } from "./queued-turns.ts";
import { removalStore } from "./removals.ts";
import { repositoryStore } from "./repositories.ts";
import { runStore } from "./runs.ts";
import { sessionStore } from "./sessions.ts";
import { setupStore } from "./setups.ts";
import { shareStore } from "./shares.ts";
import { storageStore } from "./storage.ts";
import { tokenStore } from "./tokens.ts";
import { deliveryStore } from "./webhook-deliveries.ts";
import { webhookStore } from "./webhooks.ts";

/** The data by noun. What it writes is committed at once, or with the transaction of the dialect. */
export function allStores(dialect: Dialect, now: Now, queueMax: number) {
  const appender = entryAppender(dialect);
  return {
    organizations: organizationStore(dialect, now),
    members: memberStore(dialect, appender, now),
    invitations: invitationStore(dialect, now),
    accounts: accountStore(dialect, now),
    settings: settingsStore(dialect),
    identities: identityStore(dialect, appender, now),
    ownOrganizations: ownOrganizationStore(dialect, now),
    repositories: repositoryStore(dialect, now),
    setups: setupStore(dialect, now),
    prepared: preparedStore(dialect, now),
    runs: runStore(dialect, appender, now, queueMax),
    removals: removalStore(dialect, now),
    storage: storageStore(dialect, appender, now),
    turns: queuedTurnStore(dialect, now, queueMax),
    entries: entryStore(dialect),
    analysisRuns: analysisRunStore(dialect, appender, now, queueMax),
    generateRuns: generateRunStore(dialect, now, queueMax),
    external: externalRunStore(dialect, appender, now),
    claudeSessions: claudeSessionStore(dialect, appender, now),
    claudeTelemetry: claudeTelemetryStore(dialect, now),
    pulls: pullStore(dialect, appender, now),
    localChecks: localChecksStore(dialect, now),
    queue: queueStore(dialect, appender, now),
    figures: figureStore(dialect),
    agents: agentStore(dialect),
    agentKeys: agentKeyStore(dialect, now),
    agentRefusals: agentRefusalStore(dialect),
    agentSignIns: agentSignInStore(dialect, now),
    agentCommands: agentCommandStore(dialect, now),
    networks: networkStore(dialect, now),
    tokens: tokenStore(dialect, now),
    sessions: sessionStore(dialect, now),
    shares: shareStore(dialect, now),
    analyses: analysisStore(dialect),
    audit: auditStore(dialect, now),
    integrations: integrationStore(dialect, now),
    mcpServers: mcpServerStore(dialect, now),
    links: linkStore(dialect, now),
    announcements: announcementStore(dialect, now),
    conversations: conversationStore(dialect, appender, now, queueMax),
    webhooks: webhookStore(dialect, now),
    deliveries: deliveryStore(dialect, now),
  };
}

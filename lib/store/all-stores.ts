import { agentCommandStore } from "#lib/store/agents/agent-commands.ts";
import { agentRefusalStore } from "#lib/store/agents/agent-refusals.ts";
import { agentSignInStore } from "#lib/store/agents/agent-sign-ins.ts";
import { agentStore } from "#lib/store/agents/agents.ts";
import { claudeSessionStore } from "#lib/store/claude-code/claude-sessions.ts";
import { claudeTelemetryStore } from "#lib/store/claude-code/claude-telemetry.ts";
import { entryAppender } from "#lib/store/entries/append-entries.ts";
import { entryStore } from "#lib/store/entries/entries.ts";
import { announcementStore } from "#lib/store/integrations/announcements.ts";
import { conversationStore } from "#lib/store/integrations/conversations.ts";
import { integrationStore } from "#lib/store/integrations/integrations.ts";
import { linkStore } from "#lib/store/integrations/links.ts";
import { mcpServerStore } from "#lib/store/integrations/mcp-servers.ts";
import { accountStore } from "#lib/store/people/accounts.ts";
import { auditStore } from "#lib/store/people/audit.ts";
import { identityStore } from "#lib/store/people/identities.ts";
import { invitationStore } from "#lib/store/people/invitations.ts";
import { memberStore } from "#lib/store/people/members.ts";
import { settingsStore } from "#lib/store/people/organization-settings.ts";
import { organizationStore } from "#lib/store/people/organizations.ts";
import { ownOrganizationStore } from "#lib/store/people/own-organizations.ts";
import { sessionStore } from "#lib/store/people/sessions.ts";
import { tokenStore } from "#lib/store/people/tokens.ts";
import { pullStore } from "#lib/store/pulls/pulls.ts";
import { agentKeyStore } from "#lib/store/repositories/agent-keys.ts";
import { networkStore } from "#lib/store/repositories/networks.ts";
import { repositoryStore } from "#lib/store/repositories/repositories.ts";
import { setupStore } from "#lib/store/repositories/setups.ts";
import { analysisStore } from "#lib/store/runs/analyses.ts";
import { analysisRunStore } from "#lib/store/runs/analysis-runs.ts";
import { externalRunStore } from "#lib/store/runs/external-runs.ts";
import { figureStore } from "#lib/store/runs/figures.ts";
import { generateRunStore } from "#lib/store/runs/generate-runs.ts";
import { localChecksStore } from "#lib/store/runs/local-checks.ts";
import { queueStore } from "#lib/store/runs/queue.ts";
import { runStore } from "#lib/store/runs/runs.ts";
import { shareStore } from "#lib/store/runs/shares.ts";
import { preparedStore } from "#lib/store/storage/prepared.ts";
import { removalStore } from "#lib/store/storage/removals.ts";
import { storageStore } from "#lib/store/storage/storage.ts";
import { queuedTurnStore } from "#lib/store/turns/queued-turns.ts";
import { deliveryStore } from "#lib/store/webhooks/webhook-deliveries.ts";
import { eventStore } from "#lib/store/webhooks/webhook-events.ts";
import { webhookStore } from "#lib/store/webhooks/webhooks.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";

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
    events: eventStore(dialect),
  };
}

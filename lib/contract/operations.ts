import * as hook from "#lib/contract/integrations/hook.ts";
import * as integration from "#lib/contract/integrations/integration.ts";
import * as link from "#lib/contract/integrations/link.ts";
import * as oauth from "#lib/contract/integrations/oauth.ts";
import * as slackConnect from "#lib/contract/integrations/slack-connect.ts";
import * as webhookOperations from "#lib/contract/integrations/webhook-operations.ts";
import * as analysis from "#lib/contract/logs/analysis.ts";
import * as analyzeLogs from "#lib/contract/logs/analyze-logs.ts";
import * as claudeCode from "#lib/contract/logs/claude-code.ts";
import * as exported from "#lib/contract/logs/export.ts";
import * as find from "#lib/contract/logs/find.ts";
import * as ingest from "#lib/contract/logs/ingest.ts";
import * as logPosition from "#lib/contract/logs/log-position.ts";
import * as logTools from "#lib/contract/logs/log-tools.ts";
import * as outline from "#lib/contract/logs/outline.ts";
import * as search from "#lib/contract/logs/search.ts";
import * as telemetry from "#lib/contract/logs/telemetry.ts";
import * as timeline from "#lib/contract/logs/timeline.ts";
import * as tool from "#lib/contract/logs/tool.ts";
import * as audit from "#lib/contract/people/audit.ts";
import * as invitation from "#lib/contract/people/invitation.ts";
import * as member from "#lib/contract/people/member.ts";
import * as oidc from "#lib/contract/people/oidc.ts";
import * as organization from "#lib/contract/people/organization.ts";
import * as organizationSettings from "#lib/contract/people/organization-settings.ts";
import * as ownOrganizations from "#lib/contract/people/own-organizations.ts";
import * as profile from "#lib/contract/people/profile.ts";
import * as session from "#lib/contract/people/session.ts";
import * as token from "#lib/contract/people/token.ts";
import * as agentKey from "#lib/contract/repositories/agent-key.ts";
import * as checkSuite from "#lib/contract/repositories/check-suite.ts";
import * as network from "#lib/contract/repositories/network.ts";
import * as pullSettings from "#lib/contract/repositories/pull-settings.ts";
import * as repository from "#lib/contract/repositories/repository.ts";
import * as setup from "#lib/contract/repositories/setup-operations.ts";
import * as storage from "#lib/contract/repositories/storage.ts";
import * as agent from "#lib/contract/runs/agent.ts";
import * as isolation from "#lib/contract/runs/isolation.ts";
import * as modelList from "#lib/contract/runs/model-list.ts";
import * as pullRequest from "#lib/contract/runs/pull-request.ts";
import * as push from "#lib/contract/runs/push.ts";
import * as runBan from "#lib/contract/runs/run-ban.ts";
import * as runList from "#lib/contract/runs/run-list.ts";
import * as runOperations from "#lib/contract/runs/run-operations.ts";
import * as runQueue from "#lib/contract/runs/run-queue.ts";
import * as share from "#lib/contract/runs/share.ts";
import * as sharedRun from "#lib/contract/runs/shared-run.ts";
import * as work from "#lib/contract/runs/work.ts";
import { addresses, type OperationId } from "./addresses.ts";
import type { AnyOperation } from "./operation.ts";
import * as serviceOperations from "./service-operations.ts";

const all = {
  ...agent,
  ...agentKey,
  ...analysis,
  ...analyzeLogs,
  ...audit,
  ...checkSuite,
  ...claudeCode,
  ...exported,
  ...find,
  ...hook,
  ...ingest,
  ...integration,
  ...invitation,
  ...isolation,
  ...link,
  ...logPosition,
  ...logTools,
  ...member,
  ...modelList,
  ...network,
  ...oauth,
  ...oidc,
  ...organization,
  ...organizationSettings,
  ...outline,
  ...ownOrganizations,
  ...profile,
  ...pullRequest,
  ...pullSettings,
  ...push,
  ...repository,
  ...runBan,
  ...runList,
  ...runOperations,
  ...runQueue,
  ...search,
  ...serviceOperations,
  ...session,
  ...setup,
  ...share,
  ...sharedRun,
  ...slackConnect,
  ...storage,
  ...telemetry,
  ...timeline,
  ...token,
  ...tool,
  ...webhookOperations,
  ...work,
};

/** Types of every operation by id: what a call by name takes and returns, according to the schemas. */
export type Operations = { [Id in OperationId]: (typeof all)[Id] };

const byId: Operations = all;

/** Every operation of the API, in the order of the documentation (addresses.ts). A test compares it with the route files. */
export const operations: AnyOperation[] = (Object.keys(addresses) as OperationId[]).map((id) => byId[id]);

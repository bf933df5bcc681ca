import { addresses, type OperationId } from "./addresses.ts";
import * as agent from "./agent.ts";
import * as agentKey from "./agent-key.ts";
import * as analysis from "./analysis.ts";
import * as analyzeLogs from "./analyze-logs.ts";
import * as audit from "./audit.ts";
import * as checkSuite from "./check-suite.ts";
import * as claudeCode from "./claude-code.ts";
import * as exported from "./export.ts";
import * as find from "./find.ts";
import * as hook from "./hook.ts";
import * as ingest from "./ingest.ts";
import * as integration from "./integration.ts";
import * as invitation from "./invitation.ts";
import * as isolation from "./isolation.ts";
import * as link from "./link.ts";
import * as logPosition from "./log-position.ts";
import * as logTools from "./log-tools.ts";
import * as member from "./member.ts";
import * as modelList from "./model-list.ts";
import * as network from "./network.ts";
import * as oauth from "./oauth.ts";
import * as oidc from "./oidc.ts";
import type { AnyOperation } from "./operation.ts";
import * as organization from "./organization.ts";
import * as organizationSettings from "./organization-settings.ts";
import * as outline from "./outline.ts";
import * as ownOrganizations from "./own-organizations.ts";
import * as profile from "./profile.ts";
import * as pullRequest from "./pull-request.ts";
import * as pullSettings from "./pull-settings.ts";
import * as push from "./push.ts";
import * as repository from "./repository.ts";
import * as runBan from "./run-ban.ts";
import * as runOperations from "./run-operations.ts";
import * as runQueue from "./run-queue.ts";
import * as search from "./search.ts";
import * as serviceOperations from "./service-operations.ts";
import * as session from "./session.ts";
import * as setup from "./setup.ts";
import * as share from "./share.ts";
import * as sharedRun from "./shared-run.ts";
import * as slackConnect from "./slack-connect.ts";
import * as storage from "./storage.ts";
import * as telemetry from "./telemetry.ts";
import * as timeline from "./timeline.ts";
import * as token from "./token.ts";
import * as tool from "./tool.ts";
import * as webhookOperations from "./webhook-operations.ts";
import * as work from "./work.ts";

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

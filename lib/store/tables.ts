// Every table of the store, each after those to which it refers.
import { agents } from "./tables/agents.ts";
import { claudeCode } from "./tables/claude-code.ts";
import { integrations } from "./tables/integrations.ts";
import { people } from "./tables/people.ts";
import { pulls } from "./tables/pulls.ts";
import { repositories } from "./tables/repositories.ts";
import { runs } from "./tables/runs.ts";
import { storage } from "./tables/storage.ts";
import { webhooks } from "./tables/webhooks.ts";

/**
 * Raised with every change of a column: a store of another version is not opened. New tables and indexes need no new version: what
 * a store lacks is created when it is opened. An index that changes gets another name.
 */
export const storeVersion = 1002;

export const tables = {
  ...people,
  ...repositories,
  ...runs,
  ...agents,
  ...integrations,
  ...pulls,
  ...webhooks,
  ...claudeCode,
  ...storage,
};

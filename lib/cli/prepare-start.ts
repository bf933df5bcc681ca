import { once } from "node:events";
import { type Config, readConfig } from "#lib/config.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import type { Owner } from "#lib/supervised.ts";
import { exitWith } from "./exit-with.ts";
import { prepareFirstStart } from "./first-start.ts";
import { hideFromGit } from "./hide-from-git.ts";
import { refuseKilledRestore } from "./stages.ts";

/** What the supervisor needs to know of the settings. */
export type Settings = Pick<Config, "dataDir" | "storeFile" | "logLevel" | "port">;

/** Messages of the process that prepares a start. */
export type Preparation = { kind: "settings"; settings: Settings } | { kind: "owner"; owner: Owner };

exitWith(prepareStart());

/**
 * A process of its own that prepares the data folder and ends, so that the supervisor never loads what only this needs. Sends what
 * the supervisor needs to know, and goes on when that has locked the folder.
 */
async function prepareStart(): Promise<number> {
  const tell = (message: Preparation) => new Promise((resolve) => process.send?.(message, resolve));
  const config = readConfig();
  const { dataDir, storeFile, logLevel, port } = config;
  const locked = once(process, "message");
  process.on("disconnect", () => process.exit(1));
  await tell({ kind: "settings", settings: { dataDir, storeFile, logLevel, port } });
  await locked;
  await refuseKilledRestore(config);
  await hideFromGit(dataDir);
  const { store } = await openStoreForCommand(config);
  await store.checkAtStart();
  const { organizationId, userId } = await prepareFirstStart(store, config);
  await store.close();
  await tell({ kind: "owner", owner: { organizationId, userId } });
  return 0;
}

import type { Config } from "#lib/config.ts";
import { upgradeStore as upgrade } from "#lib/runtime/commands.ts";
import { holdFolder } from "#lib/runtime/folder.ts";
import { storeVersion } from "#lib/store/tables.ts";

/** `errand upgrade-store`: upgrades a store of an earlier version, while Errand is stopped. */
export async function upgradeStore(config: Config, _words: []): Promise<number> {
  for (const part of ["service", "web", "engine", "backup"] as const) await holdFolder(config, part);
  const version = await upgrade(config.storeFile);
  process.stdout.write(
    version === storeVersion
      ? `${config.storeFile} has version ${version} already\n`
      : `${config.storeFile}: version ${version} before, ${storeVersion} now\n`,
  );
  return 0;
}

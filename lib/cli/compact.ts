import type { Config } from "#lib/config.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { compactDatabase } from "#lib/runtime/commands.ts";
import { holdFolder } from "#lib/runtime/folder.ts";

/**
 * `errand compact`: writes the store and its search index anew, while the service is stopped. A store of an older version gives the
 * space of what is deleted back to the disk only afterwards, and only then nothing is left of what was deleted before.
 */
export async function compact(config: Config, _words: []): Promise<number> {
  for (const part of ["service", "web", "engine"] as const) await holdFolder(config, part);
  for (const file of [config.storeFile, config.indexFile]) {
    const sizes = await compactDatabase(file);
    if (sizes === null) continue;
    process.stdout.write(`${file}: ${formatBytes(sizes.before)}, now ${formatBytes(sizes.after)}\n`);
  }
  return 0;
}

import type { Config } from "#lib/config.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { compactDatabase } from "#lib/runtime/commands.ts";
import { holdFolder } from "#lib/runtime/folder.ts";

/** `errand compact`: rewrites the store and its search index without gaps, while the service is stopped. */
export async function compact(config: Config, _words: []): Promise<number> {
  for (const part of ["service", "web", "engine"] as const) await holdFolder(config, part);
  for (const file of [config.storeFile, config.indexFile]) {
    const sizes = await compactDatabase(file);
    if (sizes === null) continue;
    process.stdout.write(`${file}: ${formatBytes(sizes.before)} before, ${formatBytes(sizes.after)} now\n`);
  }
  return 0;
}

import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "#lib/config.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { copyStore, linkMirrors } from "#lib/runtime/commands.ts";
import { holdFolder } from "#lib/runtime/folder.ts";
import { manifestName, tar } from "./archive.ts";
import { appendChecksum } from "./archive-checksum.ts";
import { clearWhenStopped, sweepStages } from "./stages.ts";
import { UsageError } from "./usage-error.ts";

const use = "usage: backup FILE.tar [--with-key]";

/**
 * `errand backup FILE`: writes the store, the mirrors and `agents.json` into one archive, even while the service runs. The store
 * is copied first, at one instant; each mirror later, so it has every branch that the store knows, and perhaps those of later
 * runs. The key that decrypts secrets is left out unless it is requested.
 */
export async function backup(config: Config, words: string[]): Promise<number> {
  const { file, withKey } = parseWords(words, config);
  if (existsSync(file)) throw new UsageError(`${file} already exists: choose another name, or delete it`);
  if (!existsSync(dirname(file))) throw new UsageError(`the folder ${dirname(file)} does not exist`);
  const { dataDir, storeFile, secretKey } = config;
  if (!existsSync(storeFile)) throw new UsageError(`there is no store at ${storeFile}: set ERRAND_DATA_DIR`);
  if (withKey && !existsSync(secretKey.file)) {
    const why = secretKey.key === null ? "no secret has been stored yet" : "it is in ERRAND_SECRET_KEY";
    throw new UsageError(`there is no ${secretKey.file} for --with-key: ${why}`);
  }
  await holdFolder(config, "backup");
  await sweepStages(dataDir, "backup");
  const partial = `${file}.partial`;
  // Readable only by its owner, from its first byte on.
  const made = await open(partial, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === "EEXIST" ? "already exists: delete it unless another backup is still running" : error.message;
    throw new UsageError(`${partial} ${why}`);
  });
  await made.close();
  // On the same disk as the mirrors, which are linked and not copied.
  const stage = await mkdtemp(join(dataDir, ".backup-"));
  const release = clearWhenStopped([partial, stage]);
  try {
    const createdAt = new Date().toISOString();
    const version = await copyStore(storeFile, join(stage, "errand.db"));
    await chmod(join(stage, "errand.db"), 0o600);
    const mirrors = await linkMirrors(dataDir, join(stage, "mirrors"));
    const names = ["errand.db", "mirrors", manifestName];
    for (const path of [join(dataDir, "agents.json"), ...(withKey ? [secretKey.file] : [])]) {
      if (!existsSync(path)) continue;
      const name = path === secretKey.file ? "secret.key" : "agents.json";
      await copyFile(path, join(stage, name));
      names.push(name);
    }
    const manifest = {
      ...{ errand: "backup", store_version: version, created_at: createdAt, mirrors, with_key: withKey },
      checksum: "sha256",
    };
    await writeFile(join(stage, manifestName), `${JSON.stringify(manifest)}\n`);
    const gzip = /\.t?gz$/.test(file) ? ["--gzip"] : [];
    await tar(["--create", ...gzip, "--file", partial, "--directory", stage, "--", ...names], "the backup failed");
    await appendChecksum(partial);
    await flush(partial);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
    await rm(stage, { recursive: true, force: true });
    release();
  }
  const { size } = await stat(file);
  const key = withKey ? "with the secret key" : "without the secret key";
  process.stdout.write(`${file}: ${formatBytes(size)}, ${key}\n`);
  return 0;
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

function parseWords(words: string[], config: Config): { file: string; withKey: boolean } {
  try {
    const options = { "with-key": { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    const [file, ...more] = positionals;
    if (file !== undefined && file.trim() !== "" && more.length === 0) {
      return { file: fromWhereTheyStand(file, config), withKey: values["with-key"] === true };
    }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  throw new UsageError(use);
}

/** A path is relative to the person's folder: npm runs scripts in the project's folder and keeps theirs in INIT_CWD. */
export function fromWhereTheyStand(path: string, { environment }: Config): string {
  return resolve(environment.INIT_CWD ?? process.cwd(), path);
}

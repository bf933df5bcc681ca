import { existsSync, renameSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import type { Config } from "#lib/config.ts";
import { checkCopy, findHighestIds, numberAfter, upgradeStore } from "#lib/runtime/commands.ts";
import { holdFolder } from "#lib/runtime/folder.ts";
import { manifestName, tar } from "./archive.ts";
import { matchesChecksum } from "./archive-checksum.ts";
import { fromWhereTheyStand } from "./backup.ts";
import { clearWhenStopped, sweepStages } from "./stages.ts";
import { UsageError } from "./usage-error.ts";

const Manifest = z.object({
  errand: z.literal("backup"),
  store_version: z.int(),
  created_at: z.iso.datetime(),
  with_key: z.boolean(),
  /** At the archive's end; unset in backups of older versions. */
  checksum: z.literal("sha256").optional(),
});

/**
 * Possible contents of an archive, in the order in which they are moved into place: the store comes last, because without it
 * there is no service.
 */
const parts = ["secret.key", "agents.json", "mirrors", "errand.db"] as const;

/** What an earlier service may have left, and a restored store must not be put beside. */
const leftovers = [
  // SQLite would apply what is left of another store or index to the restored one.
  ...["errand.db-wal", "errand.db-shm", "errand.db-journal"],
  ...["search.db", "search.db-wal", "search.db-shm", "search.db-journal"],
  // A mark without its store says that data was lost there: the restored store would be taken for that one.
  "errand.db.mark",
  // New runs are numbered from the end of the backup: files of a later run would be taken for those of a new one.
  ...["checkouts", "homes", "layers", "prepared"],
];

/**
 * `errand restore FILE`: moves the contents of a backup into a data folder that has none of them. Checks them first; moves
 * everything or nothing.
 */
export async function restore(config: Config, words: string[]): Promise<number> {
  const [name, ...more] = words;
  if (name === undefined || name.startsWith("-") || more.length > 0) throw new UsageError("usage: restore FILE.tar");
  const file = fromWhereTheyStand(name, config);
  if (!existsSync(file)) throw new UsageError(`${file} does not exist`);
  // It is read twice.
  if (!statSync(file).isFile()) throw new UsageError(`${file} is not a file: save the backup as one`);
  const { dataDir } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await holdFolder(config, "service");
  // Before the sweep: what a killed restore has put in place is said, and until it is moved away no service starts beside it.
  await requireEmpty(dataDir);
  await sweepStages(dataDir, "restore");
  const stage = await mkdtemp(join(dataDir, ".restore-"));
  const store = join(stage, "errand.db");
  const release = clearWhenStopped([stage]);
  try {
    const isWhole = await matchesChecksum(file);
    if (isWhole === false) throw new UsageError(`${file} is damaged: its SHA-256 is not the one at its end`);
    await tar(
      ["--extract", "--no-same-owner", "--file", file, "--directory", stage],
      isWhole === true ? `${file} could not be unpacked` : `${file} is not a complete backup`,
    );
    await requireKinds(file, stage);
    const manifest = await readManifest(file, join(stage, manifestName));
    if (isWhole === null && manifest.checksum !== undefined) {
      throw new UsageError(`${file} is damaged, or packed again by another program: its SHA-256 is not at its end`);
    }
    await checkCopy(store);
    await upgradeStore(store);
    // The mirrors were copied after the store: they may have the work of later runs, and be those of later repositories.
    await numberAfter(store, await findHighestIds(join(stage, "mirrors")));
    // Opening the store may have created these.
    for (const side of ["-wal", "-shm"]) await rm(join(stage, `errand.db${side}`), { force: true });
    const there = parts.filter((part) => existsSync(join(stage, part)));
    for (const part of there) if (part !== "mirrors") await chmod(join(stage, part), 0o600);
    // Without a pause in which Ctrl+C would be heard.
    for (const part of there) renameSync(join(stage, part), join(dataDir, part));
    process.stdout.write(`Restored the backup of ${manifest.created_at} to ${dataDir}\n`);
    if (isWhole === null) {
      process.stderr.write(
        "An older version made this backup, without a checksum: damage inside it may go unnoticed.\n",
      );
    }
    if (!there.includes("secret.key") && config.secretKey.key === null) {
      process.stderr.write(
        `The backup does not contain the secret key. Copy the secret.key that you kept to ${dataDir} before you start Errand; otherwise every stored secret has to be entered again.\n`,
      );
    }
    return 0;
  } catch (error) {
    // The unpacked store is gone when somebody reads this.
    if (error instanceof Error) error.message = error.message.replaceAll(store, "in the backup");
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
    release();
  }
}

/** Throws an error that names everything to be moved away, also links to what is not there now, as a disk that is not mounted. */
async function requireEmpty(dataDir: string): Promise<void> {
  const there = new Set(await readdir(dataDir));
  const found = [...parts, ...leftovers].filter((name) => there.has(name));
  if (found.length === 0) return;
  throw new UsageError(
    `${dataDir} already contains ${found.join(", ")}: move ${found.length === 1 ? "it" : "them"} away, or set ERRAND_DATA_DIR to an empty folder`,
  );
}

/**
 * Nothing in an archive may lead to another place: a link would be read or written through, and its target's permissions changed;
 * who opens a pipe waits. And nothing in it is left out without a word.
 */
async function requireKinds(file: string, stage: string): Promise<void> {
  const files: readonly string[] = [...parts.filter((part) => part !== "mirrors"), manifestName];
  for (const entry of await readdir(stage, { withFileTypes: true, recursive: true })) {
    const path = relative(stage, join(entry.parentPath, entry.name));
    const isInMirrors = path.startsWith(`mirrors${sep}`);
    const isExpected = entry.isFile()
      ? isInMirrors || files.includes(path)
      : entry.isDirectory() && (isInMirrors || path === "mirrors");
    if (!isExpected) throw new UsageError(`${file} is not an Errand backup: ${path} does not belong in one`);
  }
}

async function readManifest(file: string, path: string): Promise<z.infer<typeof Manifest>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const read = Manifest.safeParse(text === "" ? null : parsed(text));
  if (read.success) return read.data;
  throw new UsageError(
    `${file} is not a backup of this version of Errand: its ${manifestName} ${text === "" ? "is missing" : "cannot be read"}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

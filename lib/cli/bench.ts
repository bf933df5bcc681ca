import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "#lib/config.ts";
import { skipMax } from "#lib/contract/bounds.ts";
import { batchEntriesMax } from "#lib/contract/logs/ingest.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import { prepareFirstStart } from "./first-start.ts";
import { seedBodies } from "./seed-entries.ts";
import { openSeedTarget, type Place } from "./seed-target.ts";
import { UsageError } from "./usage-error.ts";

const usage = "usage: bench seed --entries N [--seed S] [--url URL --token TOKEN]";
/** Far below the limit of a body, so that neither side holds much at once: a batch ends where the next entry would not fit. */
const batchSize = { entriesMax: batchEntriesMax, bytesMax: 6 * 1024 * 1024 };

type Wanted = { entries: number; seed: number; place: Place | null };

/**
 * `errand bench seed`: creates a run with the given number of entries, the same for the same seed, through the API like any
 * other system. Prints only the run's id; the speed goes to standard error.
 */
export async function bench(config: Config, words: string[]): Promise<number> {
  const [verb, ...rest] = words;
  if (verb !== "seed") throw new UsageError(usage);
  const { entries, seed, place } = parseWanted(rest);
  if (place !== null) await writeRun(place, entries, seed);
  else await withOwnToken(config, (own) => writeRun(own, entries, seed));
  return 0;
}

async function writeRun(place: Place, count: number, seed: number): Promise<void> {
  const target = await openSeedTarget(place, `A trace of ${count} entries, seed ${seed}`);
  const started = performance.now();
  let bytes = 0;
  let sending: Promise<void> = Promise.resolve();
  for (const batch of seedBodies(count, seed, batchSize)) {
    // The next batch is generated while the previous one is being sent; they arrive in order.
    await sending;
    bytes += batch.length;
    sending = target.append(batch);
    // The caller of `append` gets the error, and nobody else must.
    sending.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await sending;
  const seconds = (performance.now() - started) / 1000;
  await target.finish("Done: needle-end.");
  process.stderr.write(
    `${count} entries, ${formatBytes(bytes)}, in ${seconds.toFixed(1)} s: ${Math.round(count / seconds)} entries/s\n`,
  );
  process.stdout.write(`${target.runId}\n`);
}

/** The service running on the data folder, with a token that lives as long as the command. */
async function withOwnToken(config: Config, work: (place: Place) => Promise<void>): Promise<void> {
  const url = await readFile(join(config.dataDir, "address"), "utf8").catch(() => {
    throw new UsageError(
      `Errand has not run with the data folder ${config.dataDir}: start it, or give --url and --token`,
    );
  });
  const { store, auth } = await openStoreForCommand(config);
  try {
    const access = await prepareFirstStart(store, config);
    const { secret, hash, hint } = auth.mintToken();
    const token = await store.tokens.create(access, {
      name: "bench seed",
      role: "member",
      scopes: auth.scopesOf("member"),
      statusStyle: "errand",
      hint,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      hash,
    });
    try {
      await work({ url: url.trim(), token: secret });
    } finally {
      await store.tokens.revoke(access, token.id, {});
    }
  } finally {
    await store.close();
  }
}

function parseWanted(words: string[]): Wanted {
  const { entries, seed, url, token } = parseWords(words);
  if (entries === undefined) throw new UsageError(usage);
  if ((url === undefined) !== (token === undefined)) throw new UsageError("--url and --token must be given together");
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("--url: must be the address of Errand, like http://127.0.0.1:3000");
  }
  return {
    entries: wholeNumber("--entries", entries, 1, skipMax - 1),
    seed: wholeNumber("--seed", seed ?? "1", 0, 2 ** 32 - 1),
    place: url === undefined || token === undefined ? null : { url, token },
  };
}

function parseWords(words: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: words, options: { entries: text, seed: text, url: text, token: text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, word: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option}: must be a whole number from ${min} to ${max}`);
}

import type { Config } from "#lib/config.ts";
import { dryRunHost, openStoreForCommand } from "#lib/runtime/commands.ts";
import { UsageError } from "./usage-error.ts";

const hosts = ["github", "gitlab", "forgejo"] as const;

/**
 * `errand doctor --host NAME`: makes the reads that pull requests need on a connected code host, and changes nothing there.
 * Prints one line per finding. Returns 0 if all of them work, otherwise 1.
 */
export async function doctorOfHost(config: Config, words: string[]): Promise<number> {
  const [option, given, ...others] = words;
  const host = hosts.find((one) => one === given);
  if (option !== "--host" || others.length > 0) throw new UsageError("usage: doctor [--host NAME]");
  if (host === undefined) throw new UsageError(`--host: must be one of ${hosts.join(", ")}`);
  const { store } = await openStoreForCommand(config);
  try {
    const found = await dryRunHost(config, store, host, AbortSignal.timeout(300_000));
    if (found.length === 0) process.stdout.write(`No organization is connected to ${host}: Settings → Integrations.\n`);
    for (const { name, ok, text } of found) process.stdout.write(`${ok ? "ok" : "--"}  ${name}  ${text}\n`);
    return found.length > 0 && found.every(({ ok }) => ok) ? 0 : 1;
  } finally {
    await store.close();
  }
}

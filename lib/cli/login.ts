import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, localUrl } from "#lib/config.ts";
import { openStoreForCommand } from "#lib/runtime.ts";
import { prepareFirstStart } from "./first-start.ts";
import { createSignInLink } from "./sign-in-link.ts";

/** Prints a new sign-in link for the owner, alone. */
export async function login(config: Config, _words: []): Promise<number> {
  const { store, auth } = await openStoreForCommand(config);
  try {
    const { userId } = await prepareFirstStart(store, config);
    process.stdout.write(`${await createSignInLink(store, auth, userId, await originOf(config))}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

/** The public address, else the one that the running service wrote down, else the one it would have. */
async function originOf(config: Config): Promise<string> {
  if (config.publicUrl !== null) return config.publicUrl;
  try {
    return (await readFile(join(config.dataDir, "address"), "utf8")).trim();
  } catch {
    return localUrl(config.host, config.port);
  }
}

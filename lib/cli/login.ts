import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, localUrl } from "#lib/config.ts";
import { openStoreForCommand, recordSystemAct } from "#lib/runtime.ts";
import { prepareFirstStart } from "./first-start.ts";
import { createSignInLink } from "./sign-in-link.ts";

/** Prints a new sign-in link for the owner, alone. */
export async function login(config: Config, _words: []): Promise<number> {
  const { store, auth } = await openStoreForCommand(config);
  try {
    const { organizationId, userId } = await prepareFirstStart(store, config);
    const origin = await originOf(config);
    const link = await store.transaction(async (inside) => {
      const made = await createSignInLink(inside, auth, userId, origin);
      const object = { type: "user", id: userId };
      const details = { command: "errand login" };
      await recordSystemAct(inside, organizationId, { act: "sign_in_link.made", object, details });
      return made;
    });
    process.stdout.write(`${link}\n`);
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

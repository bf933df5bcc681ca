import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Config, localUrl } from "#lib/config.ts";
import { sameAddress } from "#lib/contract/people/person.ts";
import { createSignInLink } from "#lib/runtime/sign-in-link.ts";
import type { Store } from "#lib/store/store.ts";
import { prepareFirstStart } from "./first-start.ts";
import { openKnownStore } from "./known-store.ts";
import { UsageError } from "./usage-error.ts";

const usage = "login [--email ADDRESS]";

/**
 * `errand login`: prints only a new sign-in link, for the first owner or the person with an address. Anyone who uses it may set a
 * new password without the old one, so nobody who can run commands here is locked out.
 */
export async function login(config: Config, words: string[]): Promise<number> {
  const email = parseEmail(words);
  const { store } = await openKnownStore(config);
  try {
    const first = await prepareFirstStart(store, config);
    const person = email === null ? first : await findPerson(store, email);
    const link = await createSignInLink(store, person, {
      origin: await originOf(config),
      command: "errand login",
    });
    process.stdout.write(`${link}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

/** The person with an address, and their first organization. Throws a UsageError if there is none. */
async function findPerson(store: Store, email: string): Promise<{ organizationId: number; userId: number }> {
  const account = await store.accounts.findByEmail(sameAddress(email));
  const own = account === null ? null : await store.organizations.listOfUser(account.userId, { skip: 0, limit: 1 });
  const [organization] = own?.items ?? [];
  if (account === null || organization === undefined) throw new UsageError(`no account has the email address ${email}`);
  return { organizationId: organization.id, userId: account.userId };
}

function parseEmail(words: string[]): string | null {
  try {
    return parseArgs({ args: words, options: { email: { type: "string" } } }).values.email ?? null;
  } catch {
    throw new UsageError(`usage: ${usage}`);
  }
}

/** The address recorded by the service, whatever this shell's settings are; or the one it would have. */
async function originOf(config: Config): Promise<string> {
  try {
    return (await readFile(join(config.dataDir, "address"), "utf8")).trim();
  } catch {
    return config.publicUrl ?? localUrl(config.host, config.port);
  }
}

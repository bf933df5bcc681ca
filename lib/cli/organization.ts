import { parseArgs } from "node:util";
import type { Config } from "#lib/config.ts";
import { recordSystemAct } from "#lib/runtime/commands.ts";
import { prepareFirstStart } from "./first-start.ts";
import { openKnownStore } from "./known-store.ts";
import { UsageError } from "./usage-error.ts";

const usage = "organization create --name NAME";
const nameCharactersMax = 100;

/** `errand organization create`: creates an organization owned by the owner of the installation, and prints only its id. */
export async function organization(config: Config, words: string[]): Promise<number> {
  const name = parseName(words);
  const { store } = await openKnownStore(config);
  try {
    const { userId } = await prepareFirstStart(store, config);
    const id = await store.transaction(async (inside) => {
      const made = await inside.ownOrganizations.create({ name, ownerId: userId });
      const object = { type: "organization", id: made, name };
      const details = { command: "errand organization create" };
      await recordSystemAct(inside, made, { act: "organization.created", object, details });
      return made;
    });
    process.stdout.write(`${id}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function parseName(words: string[]): string {
  const { values, positionals } = parseWords(words);
  const name = values.name?.trim() ?? "";
  if (positionals[0] !== "create" || positionals.length > 1) throw new UsageError(`usage: ${usage}`);
  if (name === "") throw new UsageError(`--name is missing; usage: ${usage}`);
  if (name.length > nameCharactersMax)
    throw new UsageError(`--name: must have at most ${nameCharactersMax} characters`);
  return name;
}

function parseWords(words: string[]) {
  try {
    return parseArgs({ args: words, allowPositionals: true, options: { name: { type: "string" } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

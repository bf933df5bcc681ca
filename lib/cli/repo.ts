import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Config } from "#lib/config.ts";
import { inspectSource, nameOfSource, normalizedSource, recordSystemAct } from "#lib/runtime/commands.ts";
import { prepareFirstStart } from "./first-start.ts";
import { openKnownStore } from "./known-store.ts";
import { UsageError } from "./usage-error.ts";

/** `errand repo add PATH_OR_URL`: checks that it can be read, registers it, prints its id. */
export async function repo(config: Config, words: string[]): Promise<number> {
  const { place, name } = parseWords(words);
  // A path is relative to the person's folder: npm runs scripts in the project's folder and keeps theirs in INIT_CWD.
  const local = resolve(config.environment.INIT_CWD ?? process.cwd(), place);
  const isPath = existsSync(local) || !/^[a-z][a-z0-9+.-]*:|^[^/]+@[^/]+:/i.test(place);
  const source = normalizedSource(isPath ? local : place);
  const { store } = await openKnownStore(config);
  try {
    const { organizationId, userId } = await prepareFirstStart(store, config);
    // Longer than its parts may take: they say which of them did not end in time.
    const { defaultBranch } = await inspectSource(source, AbortSignal.timeout(300_000), config, {
      store,
      organizationId,
    });
    const names = nameOfSource(source, await store.integrations.list({ organizationId, userId }));
    const { repository, created } = await store.transaction(async (inside) => {
      const added = await inside.repositories.add(
        { organizationId, userId },
        {
          ...(name === undefined ? names : { name, fullName: name }),
          description: null,
          source,
          defaultBranch,
          opensHost: true,
        },
      );
      const { id, fullName } = added.repository;
      const object = { type: "repository", id, name: fullName };
      const details = { command: "errand repo add" };
      if (added.created) await recordSystemAct(inside, organizationId, { act: "repository.added", object, details });
      return added;
    });
    process.stderr.write(`${created ? "Added" : "Already added:"} ${repository.fullName} (${repository.source})\n`);
    process.stdout.write(`${repository.id}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function parseWords(words: string[]): { place: string; name: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { name: { type: "string" } },
    });
    const [verb, place, ...more] = positionals;
    if (verb === "add" && place !== undefined && place.trim() !== "" && more.length === 0)
      return { place, name: values.name };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  throw new UsageError("usage: repo add PATH_OR_URL [--name NAME]");
}

import { parseArgs } from "node:util";
import type { Config } from "#lib/config.ts";
import { CreateToken } from "#lib/contract/people/token.ts";
import { recordSystemAct } from "#lib/runtime/commands.ts";
import { prepareFirstStart } from "./first-start.ts";
import { openKnownStore } from "./known-store.ts";
import { UsageError } from "./usage-error.ts";

const usage =
  "token create --name NAME [--role owner|admin|member|viewer] [--days N] [--status-style errand|reference]";

/** `errand token create`: prints only the new token, so that `TOKEN=$(…)` works. */
export async function token(config: Config, words: string[]): Promise<number> {
  const [verb, ...rest] = words;
  if (verb !== "create") throw new UsageError(`usage: ${usage}`);
  const wanted = parseWanted(rest);
  const { store, auth } = await openKnownStore(config);
  try {
    const { organizationId, userId } = await prepareFirstStart(store, config);
    const { secret, hash, hint } = auth.mintToken();
    const expiresAt = wanted.days == null ? null : new Date(Date.now() + wanted.days * 86_400_000).toISOString();
    await store.transaction(async (inside) => {
      const made = await inside.tokens.create(
        { organizationId, userId },
        {
          name: wanted.name,
          role: wanted.role,
          scopes: auth.scopesOf(wanted.role),
          statusStyle: wanted.status_style,
          hint,
          expiresAt,
          hash,
        },
      );
      await recordSystemAct(inside, organizationId, {
        act: "token.created",
        object: { type: "token", id: made.id, name: made.name },
        details: { command: "errand token create", role: made.role, scopes: made.scopes, expires_at: made.expiresAt },
      });
    });
    process.stdout.write(`${secret}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function parseWanted(words: string[]): CreateToken {
  const { values } = parseWords(words);
  if (values.days !== undefined && !/^\d+$/.test(values.days)) {
    throw new UsageError("--days: must be a whole number from 1 to 3650");
  }
  const parsed = CreateToken.safeParse({
    name: values.name,
    role: values.role,
    days: values.days === undefined ? undefined : Number(values.days),
    status_style: values["status-style"],
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const option = String(issue?.path[0]).replace("_", "-");
  throw new UsageError(
    option === "name" && values.name === undefined
      ? `--name is missing; usage: ${usage}`
      : `--${option}: ${issue?.message}`,
  );
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        name: { type: "string" },
        role: { type: "string" },
        days: { type: "string" },
        "status-style": { type: "string" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { MessageUsage, SessionPlace } from "#lib/claude-code/session-step.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { JsonObject } from "#lib/contract/text.ts";
import type { Schema } from "#lib/store/schema.ts";
import { keepTurnFigures } from "#lib/store/turns/turn-figures.ts";
import type { LoggedSession } from "./logged-session.ts";

/** Facts in a line besides its steps. */
type LineFigures = { usage: MessageUsage | null; model: string | null; place: SessionPlace };

/** Keys may have any length and content: the first 16 bytes of their SHA-256 distinguish them. */
export function keyBytes(key: string): Uint8Array {
  return createHash("sha256").update(key).digest().subarray(0, 16);
}

/** Copies the model, the tokens and the folder from a line to the run. */
export async function keepFigures(trx: Transaction<Schema>, session: LoggedSession, line: LineFigures): Promise<void> {
  const { usage, model, place } = line;
  if (usage !== null) await addUsage(trx, session, usage);
  if (usage === null && model === null && Object.keys(place).length === 0) return;
  const run = await trx
    .selectFrom("runs")
    .select(["model", "metadata"])
    .where("id", "=", session.runId)
    .executeTakeFirstOrThrow();
  const { input, output } = session.tokens;
  const metadata = JsonObject.parse(parseExactJson(run.metadata));
  const merged = JSON.stringify({ ...metadata, claude_code: { ...fieldsOf(metadata.claude_code), ...place } });
  await trx
    .updateTable("runs")
    .set({ model: model ?? run.model, metadata: merged })
    .$if(usage !== null, (query) => query.set({ tokens: JSON.stringify({ input, output, total: input + output }) }))
    .where("id", "=", session.runId)
    .execute();
  if (isEnd(session.runStatus)) await keepTurnFigures(trx, session.runId);
}

/** Each line of a message repeats its tokens so far: the highest numbers count. */
async function addUsage(trx: Transaction<Schema>, session: LoggedSession, usage: MessageUsage): Promise<void> {
  const message = keyBytes(usage.messageId);
  const known = await trx
    .selectFrom("claude_usage")
    .select(["input", "output"])
    .where("session", "=", session.id)
    .where("message", "=", message)
    .executeTakeFirst();
  const input = Math.max(usage.input, known?.input ?? 0);
  const output = Math.max(usage.output, known?.output ?? 0);
  session.tokens.input += input - (known?.input ?? 0);
  session.tokens.output += output - (known?.output ?? 0);
  await trx
    .insertInto("claude_usage")
    .values({ session: session.id, message, input, output })
    .onConflict((conflict) => conflict.columns(["session", "message"]).doUpdateSet({ input, output }))
    .execute();
}

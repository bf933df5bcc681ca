import type { EngineLogger } from "#lib/engine/engine-parts.ts";
import type { PullParts } from "#lib/engine/pull-request/parts.ts";
import { retryWaitMs } from "#lib/engine/retry-wait.ts";
import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { maskGiven } from "#lib/host/given-secrets.ts";
import { failureOf, type IntegrationParts } from "#lib/host/open-integration.ts";
import type { NewRun, Store } from "#lib/store/store.ts";

/** Dependencies for processing events from connected services and replying there. */
export type ConversationParts = IntegrationParts & {
  store: Store;
  /**
   * Origin of links, without a trailing slash. Asked each time: the web process may not be listening yet when the engine
   * starts.
   */
  origin(): Promise<string>;
  /** Agent and settings of a run in this organization that names none. */
  /** The defaults of a new run. `prompt` null: a run goes on, so it is not checked. Throws 409 `no_agent_ready`. */
  chooseForRun(
    organizationId: number,
    prompt: string | null,
  ): Promise<Pick<NewRun, "agent" | "model" | "permissionMode" | "turnTimeoutS">>;
  variablesOf: PullParts["variablesOf"];
  /** Masks secrets in public replies. */
  mask(text: string): string;
  hashSecret(secret: string): Uint8Array;
  now(): Date;
  logger: EngineLogger;
};

/** Masks secrets in what is said in public about a run, the values that it was given too. */
export async function maskFor(
  { store, seal, mask, variablesOf }: ConversationParts,
  { organizationId }: { organizationId: number },
  runId: number,
): Promise<(text: string) => string> {
  const run = await store.runs.find({ organizationId, userId: null }, runId);
  const about = { organizationId, repositoryId: run?.repositoryId ?? null, runId };
  const variables = run === null ? [] : variablesOf(run);
  const given = await maskGiven({ store, seal }, about, variables.flatMap(secretsInVariables));
  return (text) => mask(given.text(text));
}

/** How long an event or a reply is leased before another engine may take it, in milliseconds; a call takes at most 10 s. */
export const holdMs = 60_000;

/** When to give up on something that could not be delivered. */
const giveUpMs = 24 * 3_600_000;

/** Attempts after an unexpected error, which waiting does not fix. */
const defectTriesMax = 5;

/** Why a try failed, as text for the log, and how long to wait before the next, in milliseconds; null: it is given up. */
export function afterFailure(
  error: unknown,
  { tries, createdAt }: { tries: number; createdAt: string },
  { logger, now }: ConversationParts,
): { reason: string; waitMs: number | null } {
  const isOver = now().getTime() - Date.parse(createdAt) > giveUpMs;
  const waitMs = isOver ? null : retryWaitMs(tries, error);
  try {
    return { reason: failureOf(error), waitMs };
  } catch {
    logger.error({ err: error }, "a conversation could not be handled");
    return { reason: "internal error", waitMs: tries >= defectTriesMax ? null : waitMs };
  }
}

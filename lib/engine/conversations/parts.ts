import type { EngineLogger } from "#lib/engine/engine-parts.ts";
import { failureOf, type IntegrationParts } from "#lib/host/open-integration.ts";
import type { NewRun, Store } from "#lib/store/store.ts";

/** What the engine works with when it listens to connected services and answers there. */
export type ConversationParts = IntegrationParts & {
  store: Store;
  /** The origin of links, without a slash at its end. Asked each time: the web process may not listen yet when the engine starts. */
  origin(): Promise<string>;
  /** What a run of the organization works with where nobody names anything. */
  chooseForRun(organizationId: number): Promise<Pick<NewRun, "agent" | "model" | "permissionMode" | "turnTimeoutS">>;
  /** Takes secrets out of what is said in public. */
  mask(text: string): string;
  /** SHA-256 of a code. */
  hashSecret(secret: string): Uint8Array;
  now(): Date;
  logger: EngineLogger;
};

/** How long an event or a reply is held before another engine may take it, in milliseconds; a call takes at most 10 s. */
export const holdMs = 60_000;

/** After how long what did not arrive is given up. */
export const giveUpMs = 24 * 3_600_000;

/** The wait before the next try: 5 s, doubling up to 10 minutes. */
export function retryMs(tries: number): number {
  return Math.min(600_000, 5000 * 2 ** Math.min(tries - 1, 10));
}

/** Tries of what fails by a defect of ours, which no waiting mends. */
const defectTriesMax = 5;

/** Why something failed, in words for the log; null where it is a defect that was met often enough. */
export function reasonOf(error: unknown, { logger }: ConversationParts, tries: number): string | null {
  try {
    return failureOf(error);
  } catch {
    logger.error({ err: error }, "a conversation could not be worked on");
    return tries >= defectTriesMax ? null : "internal error";
  }
}

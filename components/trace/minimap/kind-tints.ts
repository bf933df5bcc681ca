import type { Tint } from "#components/canvas/pencil.ts";
import type { MessageType } from "#lib/contract/logs/entry.ts";

export const personTint: Tint = { token: "--foreground", alpha: 0.8 };
const quiet: Tint = { token: "--muted-foreground", alpha: 0.6 };
const tints: Partial<Record<string, Tint>> = {
  ACTION: { token: "--muted-foreground", alpha: 0.28 },
  PLAN_EVALUATION: { token: "--muted-foreground", alpha: 0.55 },
  FINAL_ANSWER: { token: "--status-completed", alpha: 0.9 },
  USER_MESSAGE: personTint,
  USER_GITHUB_ISSUE_COMMENT: personTint,
  ERROR: { token: "--status-failed", alpha: 0.6 },
  PR_CREATION_FAILED: { token: "--status-failed", alpha: 0.6 },
} satisfies Partial<Record<MessageType, Tint>>;

/** Color of a kind of entry, on the map and on the timeline. */
export function tintOf(messageType: string): Tint {
  return tints[messageType] ?? quiet;
}

import type { MessageType } from "#lib/contract/entry.ts";
import { entryId } from "./entry-id.ts";

/** How many entries one row of `entry_blocks` and of `entry_spans` describes. */
export const blockSize = 256;

/** The letter of each type; the capital one stands for an entry that reports an error. Stored: a letter never changes. */
const letters: Record<MessageType, string> = {
  ACTION: "a",
  PLAN_EVALUATION: "b",
  FINAL_ANSWER: "c",
  ERROR: "d",
  USER_MESSAGE: "e",
  USER_GITHUB_ISSUE_COMMENT: "f",
  INITIAL_PR_GENERATION: "g",
  DETECT_PR_ERRORS: "h",
  FIX_PR_ERRORS: "i",
  PR_CREATION_FAILED: "j",
  PR_EVALUATION: "k",
  COMMIT_EVALUATION: "l",
  AGENT_RUN_LINK: "m",
};

/** An entry in one letter. */
export function kindOf(messageType: MessageType, isError: boolean): string {
  const letter = letters[messageType];
  return isError ? letter.toUpperCase() : letter;
}

/** What each letter means, with the code of its character. */
export const kinds: readonly { code: number; messageType: MessageType; isError: boolean }[] = messageTypes().flatMap(
  (messageType) =>
    [false, true].map((isError) => ({ code: kindOf(messageType, isError).charCodeAt(0), messageType, isError })),
);

/** The row that describes an entry: its key is that of the entry, counted in blocks. */
export function blockId(runId: number, seq: number): number {
  return Math.floor((entryId(runId, seq) - 1) / blockSize);
}

/** Where in its block an entry stands, from 0. */
export function placeInBlock(seq: number): number {
  return (seq - 1) % blockSize;
}

function messageTypes(): MessageType[] {
  // The record has every type as a key and no other.
  return Object.keys(letters) as MessageType[];
}

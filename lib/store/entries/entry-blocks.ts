import type { MessageType } from "#lib/contract/logs/entry.ts";
import { entryId } from "./entry-id.ts";

/** Number of entries that one row of `entry_blocks` and of `entry_spans` describes. */
export const blockSize = 256;

/**
 * The type code of each message type, a letter; the capital letter marks an entry that reports an error. Stored: a code never
 * changes.
 */
const codes: Record<MessageType, string> = {
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

/** The type code of an entry. */
export function kindOf(messageType: MessageType, isError: boolean): string {
  const code = codes[messageType];
  return isError ? code.toUpperCase() : code;
}

/** Meaning of each type code, by its character code. */
export const kinds: readonly { code: number; messageType: MessageType; isError: boolean }[] = messageTypes().flatMap(
  (messageType) =>
    [false, true].map((isError) => ({ code: kindOf(messageType, isError).charCodeAt(0), messageType, isError })),
);

/** Key of the row that describes an entry: the entry's key divided by the block size. */
export function blockId(runId: number, seq: number): number {
  return Math.floor((entryId(runId, seq) - 1) / blockSize);
}

/** Position of an entry within its block, from 0. */
export function placeInBlock(seq: number): number {
  return (seq - 1) % blockSize;
}

function messageTypes(): MessageType[] {
  // The record has every type as a key and no others.
  return Object.keys(codes) as MessageType[];
}

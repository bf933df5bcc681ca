import type { NewEntry } from "#lib/contract/entry.ts";

/**
 * What a line of a Claude Code session tells, one step after another. `entry` is appended as it is; the others need what came
 * before them: which turn a prompt begins, whether a text was the answer, which result belongs to a call.
 */
export type SessionStep =
  | { kind: "entry"; entry: NewEntry }
  /**
   * A message of the person. `text` are the words by which its turn is known, null where it can begin none (an interruption, a
   * command of the terminal). `opens`: it begins a further turn by itself, and lets a session that had ended go on.
   */
  | { kind: "prompt"; entry: NewEntry; text: string | null; opens: boolean }
  /** Words of the agent. `isLast`: whether it had said all with them; null where the line does not tell. */
  | { kind: "said"; text: string; at: string; isLast: boolean | null }
  | { kind: "call"; id: string; name: string; input: Record<string, unknown>; at: string }
  | { kind: "result"; id: string; output: Record<string, unknown>; at: string }
  /** The agent has done what it was asked for: what it said last was its answer. */
  | { kind: "rest" };

/** Tokens of one message of the model. It is told of by several lines, with growing figures. */
export type MessageUsage = { messageId: string; input: number; output: number };

/** Where a session is at work, as its lines tell. */
export type SessionPlace = {
  cwd?: string;
  git_branch?: string;
  version?: string;
  title?: string;
  custom_title?: string;
};

/** A line that has been read. `leftOut` says why no entry tells of it; null where one does, or will. */
export type ReadLine = {
  steps: SessionStep[];
  leftOut: string | null;
  usage: MessageUsage | null;
  model: string | null;
  place: SessionPlace;
};

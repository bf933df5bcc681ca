import type { NewEntry } from "#lib/contract/logs/entry.ts";

/**
 * Contents of a line of a Claude Code session, one step after another. `entry` is appended unchanged; the others depend on
 * earlier lines: which turn a prompt starts, whether a text was the answer, which result belongs to a call.
 */
export type SessionStep =
  | { kind: "entry"; entry: NewEntry }
  /**
   * A message of the person. `text` is its turn's title, null if it cannot start one (an interruption, a command of the
   * terminal). `opens`: it starts a further turn by itself, and reopens an ended session.
   */
  | { kind: "prompt"; entry: NewEntry; text: string | null; opens: boolean }
  /** Words of the agent. `isLast`: whether they were its last; null if the line does not say. */
  | { kind: "said"; text: string; at: string; isLast: boolean | null }
  | { kind: "call"; id: string; name: string; input: Record<string, unknown>; at: string }
  | { kind: "result"; id: string; output: Record<string, unknown>; at: string }
  /** The agent has finished: its last words were the answer. */
  | { kind: "rest" };

/** Tokens of one model message, reported by several lines with growing numbers. */
export type MessageUsage = { messageId: string; input: number; output: number };

/** Where a session is working, according to its lines. */
export type SessionPlace = {
  cwd?: string;
  git_branch?: string;
  version?: string;
  title?: string;
  custom_title?: string;
};

/** A parsed line. `leftOut` says why it has no entry; null if it has one, or will. */
export type ReadLine = {
  steps: SessionStep[];
  leftOut: string | null;
  usage: MessageUsage | null;
  model: string | null;
  place: SessionPlace;
};

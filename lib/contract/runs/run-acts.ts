import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import type { Role } from "#lib/contract/words.ts";

/** An action on a run: who may do it on their own run, and who on somebody else's. */
export type RunActRule = {
  /** Label for people. */
  words: string;
  /** Scope that a token needs for it. */
  scope: Scope;
  /** Lowest role that may do it on their own run. */
  own: Role;
  /** Lowest role that may do it on somebody else's run. */
  others: Role;
};

/**
 * Who may do what to whose run. A run belongs to the person who started it; a question also to the person whose message the
 * agent is working on, a queued message to its author, a link to its creator. The store enforces it, and /docs shows it.
 */
export const runActs = {
  read: { words: "Read, follow, search and export it", scope: "runs:read", own: "viewer", others: "viewer" },
  continue: {
    words: "Resume it, queue messages, send held ones",
    scope: "runs:write",
    own: "member",
    others: "member",
  },
  cancel: { words: "Cancel it", scope: "runs:write", own: "member", others: "member" },
  analyze: { words: "Start a run that analyzes it", scope: "runs:write", own: "member", others: "member" },
  answer: { words: "Answer the agent's questions", scope: "runs:write", own: "member", others: "admin" },
  edit_message: { words: "Edit or remove a queued message", scope: "runs:write", own: "member", others: "admin" },
  push: { words: "Push its branch", scope: "repos:write", own: "member", others: "member" },
  share: { words: "Create, list and revoke share links to it", scope: "runs:write", own: "member", others: "admin" },
  delete: { words: "Delete it", scope: "runs:write", own: "member", others: "admin" },
  report: { words: "Report steps of an external run", scope: "ingest:write", own: "member", others: "member" },
} as const satisfies Record<string, RunActRule>;
export type RunAct = keyof typeof runActs;

/** Whether a role may do it. */
export function mayAct(role: Role, act: RunAct, isOwn: boolean): boolean {
  return isAtLeast(role, isOwn ? runActs[act].own : runActs[act].others);
}

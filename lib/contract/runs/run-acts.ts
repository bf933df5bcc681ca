import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import type { Role } from "#lib/contract/words.ts";

/** An action on a run: who may do it on their own run, and who on somebody else's. */
export type RunActRule = {
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
  read: { scope: "runs:read", own: "viewer", others: "viewer" },
  continue: {
    scope: "runs:write",
    own: "member",
    others: "member",
  },
  cancel: { scope: "runs:write", own: "member", others: "member" },
  analyze: { scope: "runs:write", own: "member", others: "member" },
  answer: { scope: "runs:write", own: "member", others: "admin" },
  edit_message: { scope: "runs:write", own: "member", others: "admin" },
  push: { scope: "repos:write", own: "member", others: "member" },
  share: { scope: "runs:write", own: "member", others: "admin" },
  delete: { scope: "runs:write", own: "member", others: "admin" },
  report: { scope: "ingest:write", own: "member", others: "member" },
} as const satisfies Record<string, RunActRule>;
export type RunAct = keyof typeof runActs;

/** Whether a role may do it. */
export function mayAct(role: Role, act: RunAct, isOwn: boolean): boolean {
  return isAtLeast(role, isOwn ? runActs[act].own : runActs[act].others);
}

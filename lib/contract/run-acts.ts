import type { Scope } from "./operation.ts";
import type { Role } from "./organization.ts";
import { isAtLeast } from "./role-scopes.ts";

/** Something that is done with a run: who may do it with their own, and who with somebody else's. */
export type RunActRule = {
  /** What it is, in words for people. */
  words: string;
  /** What a token needs for it. */
  scope: Scope;
  /** The weakest role that may do it with a run of their own. */
  own: Role;
  /** The weakest role that may do it with a run of somebody else's. */
  others: Role;
};

/**
 * Who may do what to whose run. A run is one's own where one started it; a question also where one sent the message that the agent
 * works on, a queued message where one wrote it, a link where one made it. The store enforces it, and /docs shows it.
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
  analyze: { words: "Start a run that analyses it", scope: "runs:write", own: "member", others: "member" },
  answer: { words: "Answer the agent's questions", scope: "runs:write", own: "member", others: "admin" },
  edit_message: { words: "Change or take out a queued message", scope: "runs:write", own: "member", others: "admin" },
  share: { words: "Make, list and revoke links to it", scope: "runs:write", own: "member", others: "admin" },
  report: { words: "Report steps of an external run", scope: "ingest:write", own: "member", others: "member" },
} as const satisfies Record<string, RunActRule>;
export type RunAct = keyof typeof runActs;

/** Whether a role may do it. */
export function mayAct(role: Role, act: RunAct, isOwn: boolean): boolean {
  return isAtLeast(role, isOwn ? runActs[act].own : runActs[act].others);
}

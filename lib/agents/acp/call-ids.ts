import { randomUUID } from "node:crypto";
import { toolCallIdMax } from "#lib/contract/logs/entry.ts";
import type { ToolFields } from "./message.ts";
import type { ToolCall } from "./tool-call.ts";

const unnamedPrefix = "without-id-";

/** The ids under which a turn's calls are kept: other sessions number their calls themselves, and some calls have no id. */
export class CallIds {
  readonly #otherSessions: string[] = [];
  /** Whether a call without an id has been seen since the turn began. */
  #hasUnnamed = false;

  beginTurn(): void {
    this.#hasUnnamed = false;
  }

  /**
   * The id of a message's call. One without an id is about the last such call that is open and fits, else about a new one; null if
   * it says nothing about a new one, so it must be a late update. `other`: the session, if it is not the turn's own.
   */
  idOf(
    fields: ToolFields,
    other: string | null,
    open: Iterable<ToolCall>,
    fits: (call: ToolCall) => boolean,
  ): string | null {
    const id = fields.toolCallId;
    if (id !== "") return other === null ? id : `${id.slice(0, toolCallIdMax - 8)}@${this.#numberOf(other)}`;
    const known = [...open].findLast((call) => call.id.startsWith(unnamedPrefix) && fits(call));
    if (known !== undefined) return known.id;
    const isDescribed = fields.title || fields.name || fields.kind || fields.rawInput != null;
    return isDescribed || !this.#hasUnnamed ? this.unnamed() : null;
  }

  /** An id for a call that has none. */
  unnamed(): string {
    this.#hasUnnamed = true;
    return `${unnamedPrefix}${randomUUID()}`;
  }

  /** The number of another session of the agent, from 1. */
  #numberOf(session: string): number {
    if (!this.#otherSessions.includes(session)) this.#otherSessions.push(session);
    return this.#otherSessions.indexOf(session) + 1;
  }
}

/** Whether a call is no step of the main agent: one of a sub-agent, or codex's report that a sub-agent is done. */
export function isBookkeeping({ toolCallId, _meta }: ToolFields): boolean {
  return Boolean(_meta?.claudeCode?.parentToolUseId) || toolCallId.startsWith("subagent-completed-");
}

import assert from "node:assert/strict";
import { type NewEntry, populationProblem } from "#lib/contract/logs/entry.ts";
import { PermissionRequest, parseUpdate } from "./message.ts";
import { Recorder } from "./recorder.ts";
import type { PermissionAnswer } from "./tool-call.ts";

export const allowed: PermissionAnswer = { decision: "allowed", option: "allow_once", by: "auto" };
export const rejected: PermissionAnswer = { decision: "rejected", option: "reject_once", by: "read-only" };

/** Options of a request for permission. */
export const offered = [
  { optionId: "1", name: "Yes", kind: "allow_once" },
  { optionId: "3", name: "No", kind: "reject_once" },
];

/** A recorder in a turn, with a clock that the test moves. Every entry is kept and checked. */
export function record() {
  const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
  const recorder = new Recorder({ cwd: "/repo", now: () => new Date(clock.now) });
  const entries: NewEntry[] = [];
  const keep = (finished: NewEntry[]) => {
    for (const entry of finished) assert.equal(populationProblem({ ...entry }), null);
    entries.push(...finished);
  };
  recorder.begin("do it", { turn: 1, session: "new" });
  return {
    recorder,
    clock,
    entries,
    update(fields: Record<string, unknown>) {
      const update = parseUpdate({ sessionId: "s", update: fields });
      assert.ok(update !== null);
      keep(recorder.update(update));
    },
    think(text: string, messageId?: string) {
      this.update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text }, messageId });
    },
    say(text: string, messageId?: string) {
      this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId });
    },
    call(fields: Record<string, unknown>) {
      this.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "t", ...fields });
    },
    change(fields: Record<string, unknown>) {
      this.update({ sessionUpdate: "tool_call_update", toolCallId: "t", ...fields });
    },
    asked(toolCall: Record<string, unknown>, answer: PermissionAnswer) {
      const request = PermissionRequest.parse({ sessionId: "s", toolCall, options: [] });
      keep(recorder.permissionAsked(request));
      recorder.permissionAnswered(request.toolCall.toolCallId, answer);
    },
    complete() {
      const { entries: last, result } = recorder.complete();
      keep(last);
      return result;
    },
  };
}

/** A text block of a tool call's content. */
export function text(value: string) {
  return { type: "content", content: { type: "text", text: value } };
}

/** A diff block of a tool call's content. */
export function diff(path: string, oldText: string | null, newText: string) {
  return { type: "diff", path, oldText, newText };
}

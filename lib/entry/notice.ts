import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";

/**
 * A notice by the service in a run's log: an ACTION of the tool `errand`, which tool statistics leave out.
 * `notice` is its subject in a few words, `text` its sentences.
 */
export function noticeEntry(notice: string, text: string): NewEntry {
  return {
    created_at: new Date().toISOString(),
    message_type: "ACTION",
    thought: null,
    tool_name: "errand",
    tool_input: { notice },
    tool_output: { text },
    observation: null,
  };
}

const asideCodes: ReadonlySet<unknown> = new Set([
  ...["reply_not_sent", "review_not_requested", "work_left_out", "left_out_work_removed", "lfs_not_used"],
  ...["commits_not_kept", "work_not_signed"],
]);

/** Whether an ERROR entry says what the service could not do besides: the turn that it stands in did not fail of it. */
export function isAside(observation: unknown): boolean {
  return asideCodes.has(fieldsOf(observation).code);
}

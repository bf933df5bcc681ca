import type { NewEntry } from "#lib/contract/entry.ts";

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

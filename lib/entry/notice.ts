import type { NewEntry } from "#lib/contract/entry.ts";

/**
 * A notice of the service in a run's log (api.md, "Added"): an ACTION of the tool `errand`, which figures of tools leave
 * out. `notice` says in a few words what it is about, `text` in sentences.
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

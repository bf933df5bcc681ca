import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { cutText } from "#lib/cut-text.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";
import type { RunRow, Store } from "#lib/store/store.ts";

const charactersMax = 12_000;
const entriesMax = 400;

/**
 * Summary of a run for an agent whose session cannot be continued: the messages, plans, steps and answers so far, one paragraph
 * each, the newest kept if not all fit in 12,000 characters. Every line is quoted (`> `): an earlier prompt or code block in it
 * is a report now, not an order.
 */
export async function recapOf(store: Store, run: RunRow): Promise<string> {
  const access = { organizationId: run.organizationId, userId: null };
  const after = Math.max(0, run.totalLogs - entriesMax);
  const lines: string[] = [];
  let last = after;
  for (;;) {
    const page = await store.entries.readAfter(access, run.id, last, 100, 8_000_000);
    if (page.length === 0) break;
    // The store wrote these bodies from parsed entries.
    for (const { body } of page) lines.push(lineOf(parseExactJson(body) as LogEntry));
    last = page.at(-1)?.seq ?? last + 1;
  }
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines.reverse()) {
    if (characters + line.length > charactersMax) break;
    kept.unshift(line);
    characters += line.length + 1;
  }
  return kept.join("\n").replaceAll(/^/gm, "> ");
}

function lineOf(entry: LogEntry): string {
  switch (entry.message_type) {
    case "USER_MESSAGE":
      return `Person: ${brief(saidIn(entry), 1000)}`;
    case "FINAL_ANSWER":
      return `Answer: ${brief(saidIn(entry), 1500)}`;
    case "PLAN_EVALUATION":
      return `Plan: ${brief(entry.thought, 600)}`;
    case "ERROR":
      return `Error: ${brief(entry.observation, 600)}`;
    case "ACTION":
      return `Step: ${entry.tool_name} ${brief(entry.tool_input, 300)}`;
    default:
      return `${entry.message_type}: ${brief(entry.observation ?? entry.thought, 300)}`;
  }
}

// Of content blocks only the text: images would fill it.
function saidIn({ observation }: LogEntry): unknown {
  return messageTextOf(observation) ?? observation;
}

function brief(value: unknown, charactersMaximum: number): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return cutText(text, charactersMaximum, "…");
}

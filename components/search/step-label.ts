import type { FindHit } from "#lib/contract/logs/find.ts";
import { messageTypeLabel } from "#lib/entry/labels.ts";

/** Label of a hit's step, as on its card: a tool by its name, a thought that is a checklist as a plan. */
export function stepLabelOf({ tool_name, message_type, snippet }: FindHit): string {
  if (tool_name !== null) return tool_name;
  const isPlan = message_type === "PLAN_EVALUATION" && /(?:^|\n)\s*[-*] \[[ xX~!-]\] /.test(snippet);
  return isPlan ? "Plan" : messageTypeLabel(message_type);
}

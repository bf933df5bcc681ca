import { z } from "zod";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { checklistOf, planOfItems } from "#lib/entry/plan.ts";
import { kindOfName } from "#lib/entry/tool-kinds.ts";
import { storableText } from "./storable.ts";
import { type ToolCall, toolName } from "./tool-call.ts";

/** One item of an agent's plan. */
export type PlanItem = { content: string; status: string };

const Item = z
  .looseObject({
    content: z.string().optional().catch(undefined),
    step: z.string().optional().catch(undefined),
    description: z.string().optional().catch(undefined),
    status: z.string().catch("pending"),
  })
  .transform(({ content, step, description, status }) => ({ content: content ?? step ?? description ?? "", status }));

const PlanInput = z.looseObject({
  todos: z.array(z.unknown()).optional().catch(undefined),
  plan: z.array(z.unknown()).optional().catch(undefined),
});

const itemsMax = 500;

/** The items of a plan, at most 500; malformed ones are left out. */
export function planItems(entries: unknown[]): PlanItem[] {
  return entries
    .slice(0, itemsMax)
    .flatMap((entry) => Item.safeParse(entry).data ?? [])
    .filter((item) => item.content !== "");
}

/** The items of a call that only writes the agent's plan, from its input; otherwise null. */
export function planOfTool(call: ToolCall): PlanItem[] | null {
  if (kindOfName(toolName(call)) !== "plan") return null;
  const input = PlanInput.safeParse(call.input);
  const items = input.success ? planItems(input.data.todos ?? input.data.plan ?? []) : [];
  return items.length > 0 ? items : null;
}

/** The plan as a Markdown checklist. */
export function checklist(items: PlanItem[]): string {
  return checklistOf(planOfItems(items) ?? []);
}

/**
 * PLAN_EVALUATION: the checklist is its `thought`; `tool_output.plan` has the items with their status. `tool` null: the agent
 * reported it without a call.
 */
export function planEntry(
  items: PlanItem[],
  tool: { name: string; callId: string | null } | null,
  now: Date,
): NewEntry {
  const plan = items.map(({ content, status }) => ({ content: storableText(content), status: storableText(status) }));
  return newEntry("PLAN_EVALUATION", now.toISOString(), {
    thought: storableText(checklist(items)),
    tool_call_id: tool?.callId ?? null,
    tool_name: tool?.name ?? null,
    tool_output: { plan },
  });
}

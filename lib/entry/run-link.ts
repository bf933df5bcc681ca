import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";
import type { AnalysisRelation } from "#lib/contract/logs/analyze-logs.ts";
import { webAddress } from "./web-address.ts";

/** The other run named by an AGENT_RUN_LINK, by id or by address. */
export type RunLink = {
  runId: number | null;
  href: string | null;
  text: string | null;
  /** If one of the two runs analyzes the other: the direction of the link. */
  relation: AnalysisRelation | null;
};

/** Reads the link from any field of the entry. */
export function runLinkOf(entry: { observation: unknown; tool_input: unknown; tool_output: unknown }): RunLink {
  const found: RunLink = { runId: null, href: null, text: null, relation: null };
  for (const part of [entry.observation, entry.tool_output, entry.tool_input]) {
    if (typeof part === "string") {
      const id = /(?:^|\/(?:runs|x|trace)\/)#?([1-9]\d{0,14})\/?$/.exec(part.trim())?.[1];
      if (id !== undefined) found.runId ??= Number(id);
      else if (webAddress(part) === null) found.text ??= part;
      found.href ??= webAddress(part.trim());
      continue;
    }
    const fields = fieldsOf(part);
    const id = numberField(fields, "agent_run_id", "linked_agent_run_id", "run_id", "id");
    const written = stringField(fields, "agent_run_id", "run_id");
    if (id !== null) found.runId ??= id;
    else if (written !== null && /^[1-9]\d{0,14}$/.test(written)) found.runId ??= Number(written);
    found.relation ??= relationOf(fields.relation);
    found.href ??= webAddress(fields.web_url ?? fields.url);
    found.text ??= textField(fields, "text", "message", "title", "prompt", "description");
  }
  return found;
}

function relationOf(value: unknown): AnalysisRelation | null {
  return value === "analysis_of" || value === "analysed_by" ? value : null;
}

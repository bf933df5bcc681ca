import type { ReactNode } from "react";
import { entryOutcome, entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { FoldedPart } from "./folded-parts.tsx";
import { ToolOutput } from "./tool-output.tsx";

/**
 * The output of a tool whose input is what matters. Folded if the call succeeded, because then it only says so; otherwise shown.
 */
export function answerOf(entry: LogEntry): { folded: FoldedPart[]; shown: ReactNode } {
  const [result, outcome] = [entryResult(entry), entryOutcome(entry)];
  const value = result.json?.value ?? result.output;
  const isEmpty = value === null || value === undefined || (typeof value === "string" && value.trim() === "");
  if (isEmpty) return { folded: [], shown: null };
  const content = <ToolOutput seq={entry.seq} result={result} head={12} />;
  if (outcome !== "ok" && outcome !== "unknown") return { folded: [], shown: content };
  return { folded: [{ openKey: `${entry.seq}.answer`, label: "Output", value, content }], shown: null };
}

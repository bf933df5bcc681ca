import { z } from "zod";
import { Analysis } from "#lib/contract/logs/analysis.ts";

/** Names of the files in the checkout of an analysis. */
export const traceFiles = {
  info: "run.json",
  analysis: "analysis.json",
  entries: "entries",
  tool: "errand-trace",
  program: "errand-trace.mts",
  readme: "README.md",
} as const;

/** Contents of `run.json` about the analyzed run. */
export const TraceInfo = z.object({
  agent_run_id: z.int(),
  web_url: z.string(),
  status: z.string(),
  partial: z.boolean().describe("The run was live when its log was read"),
  entries: z.int().describe("Entries that were read: 1 … entries"),
  cut: z.int().describe("Entries whose long texts were cut"),
  left_out: z.int().describe("Entries that have no file, because the log was too large"),
});
export type TraceInfo = z.infer<typeof TraceInfo>;

/** A run's log as an analysis gets it. */
export type Trace = { info: TraceInfo; analysis: Analysis };

/** Reads the input of {@link Trace}; throws if it is not a trace. */
export function parseTrace(info: unknown, analysis: unknown): Trace {
  return { info: TraceInfo.parse(info), analysis: Analysis.parse(analysis) };
}

/** Name of an entry's file: `000012.json`. */
export function entryFile(seq: number): string {
  return `${String(seq).padStart(6, "0")}.json`;
}

/** A step as a Markdown link to its place on the run's page. */
export function stepLink(webUrl: string, seq: number, words = `step ${seq}`): string {
  return `[${words}](${webUrl}?entry=${seq})`;
}

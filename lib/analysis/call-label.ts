import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import { type Call, firstLine, quoteIn, type Step } from "./step.ts";

/** The command, path or other first words of a call, as its entry has them: the same for the same call. */
export function labelOf({ entry }: Step, { view, input }: Call): string {
  const said =
    view.kind === "shell" && view.command !== "" ? firstLine(view.command, analysisTextMax) : headlineOf(view);
  const wanted = said === "" ? firstLine(JSON.stringify(input), analysisTextMax) : said;
  // The output is not part of a call's label.
  const own = { tool_input: entry.tool_input, tool_output: entry.tool_name };
  return quoteIn({ entry: own }, wanted, analysisTextMax);
}

import type { Run } from "#lib/contract/runs/run.ts";
import type { Block } from "./block.ts";
import { type EntryWords, entryWords } from "./entry-words.ts";
import type { ExportedEntries } from "./exported-entries.ts";

/** Part of a run, in reading order. */
export type RunPart =
  | { kind: "heading"; title: "Prompt" | "Result"; block: Block }
  | { kind: "entry"; entry: EntryWords };

/** Entries as text, preceded by the prompt and followed by the result, unless the entries already contain them. */
export async function* runParts(run: Run, entries: ExportedEntries): AsyncGenerator<RunPart> {
  const heading = (title: "Prompt" | "Result", text: string): RunPart => ({
    kind: "heading",
    title,
    block: { kind: "prose", label: null, language: "markdown", text },
  });
  let isFirst = true;
  let saysResult = false;
  for await (const body of entries) {
    const entry = entryWords(body);
    if (isFirst && entry.turn !== 1) yield heading("Prompt", run.prompt);
    isFirst = false;
    // Any entry counts, not only the last one: a failed turn may follow the one that answered.
    saysResult ||= entry.blocks.some((block) => block.text === run.result);
    yield { kind: "entry", entry };
  }
  if (isFirst) yield heading("Prompt", run.prompt);
  if (run.result !== null && !saysResult) yield heading("Result", run.result);
}

import type { Run } from "#lib/contract/runs/run.ts";
import type { Block } from "./block.ts";
import type { EntryWords } from "./entry-words.ts";
import type { ExportedEntries } from "./exported-entries.ts";
import { codeSpan, fenced, plainWords, quoted } from "./markdown-text.ts";
import { runFacts, runTitle } from "./run-facts.ts";
import { runParts } from "./run-parts.ts";
import { visibleLine } from "./visible-text.ts";

/** Longer prompts were not written by a person and are shown as literal text. */
const proseCharactersMax = 200_000;

/** The run as Markdown: its facts, its entries turn by turn, and its answer. */
export async function* markdownFile(run: Run, entries: ExportedEntries): AsyncGenerator<string> {
  yield `# Run ${run.id}: ${plainWords(runTitle(run))}\n\n`;
  for (const { name, value } of runFacts(run)) yield `- **${name}:** ${codeSpan(value)}\n`;
  yield `- **Address:** ${codeSpan(visibleLine(run.web_url, 2000))}\n\n`;
  for await (const part of runParts(run, entries)) {
    if (part.kind === "entry") yield* entryText(part.entry);
    else {
      yield `## ${part.title}\n\n`;
      yield* written(part.block);
    }
  }
}

function* entryText(entry: EntryWords): Generator<string> {
  if (entry.turn !== null) yield `## Turn ${entry.turn}\n\n`;
  const about = entry.about === "" ? "" : ` ${codeSpan(visibleLine(entry.about))}`;
  yield `### ${entry.seq}. ${plainWords(visibleLine(entry.title))}${about}\n\n`;
  const facts = [entry.createdAt, ...(entry.isError ? ["**failed**"] : []), ...entry.facts.map(plainWords)];
  yield `${facts.map((fact) => visibleLine(fact)).join(" · ")}\n\n`;
  for (const block of entry.blocks) yield* written(block);
}

function* written({ kind, label, language, text }: Block): Generator<string> {
  if (label !== null) yield `${codeSpan(visibleLine(label))}\n\n`;
  if (kind === "image") yield `*${plainWords(visibleLine(text))}*\n`;
  else if (kind === "prose" && text.length <= proseCharactersMax) yield quoted(text);
  else yield* fenced(text, language);
  yield "\n";
}

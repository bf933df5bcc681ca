import type { ExportFormat } from "#lib/contract/logs/export.ts";
import type { MediaType } from "#lib/contract/operation.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type ExportedEntries, entriesUpTo } from "#lib/service/export/exported-entries.ts";
import { htmlFile } from "#lib/service/export/html-file.ts";
import { jsonFile } from "#lib/service/export/json-file.ts";
import { markdownFile } from "#lib/service/export/markdown-file.ts";
import { inLargePieces } from "#lib/service/export/text-pieces.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { FileStream } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";
import { valuesOf } from "./shared-part.ts";
import { fileWhileAllowed } from "./while-allowed.ts";

type FileKind = {
  extension: string;
  type: MediaType;
  write(run: Run, entries: ExportedEntries): AsyncIterable<string>;
};

const kinds: Record<ExportFormat, FileKind> = {
  json: { extension: "json", type: "application/json", write: jsonFile },
  markdown: { extension: "md", type: "text/markdown", write: markdownFile },
  html: { extension: "html", type: "text/html", write: htmlFile },
};

/**
 * The run as one file, with the entries it has now. The prompt is masked like the entries, but the JSON file has it as the API does.
 * 404 if the run does not exist.
 */
export async function exportRun(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: { format: ExportFormat } },
): Promise<FileStream> {
  const run = await findRun(context, params.agent_run_id);
  const { extension, type, write } = kinds[query.format];
  const entries = entriesUpTo(context.store.entries, context.access, run.id, run.totalLogs);
  const { text } = await valuesOf(context, run);
  const masked = { ...run, prompt: text(run.prompt) };
  const texts = write(presentRun(query.format === "json" ? run : masked, viewOf(context)), entries);
  const file = fileWhileAllowed(context.isStillAllowed, inLargePieces(texts));
  return new FileStream(`${fileNameOf(masked)}.${extension}`, type, file);
}

const nameCharactersMax = 60;

/** `errand-run-12-fix-the-build`: the beginning of the prompt, in characters every file system accepts. */
function fileNameOf({ id, prompt }: { id: number; prompt: string }): string {
  const words = prompt
    .slice(0, 400)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split("\n")
    .map((line) => line.toLowerCase().replace(/[^a-z0-9]+/g, "-"))
    .find((line) => /[a-z0-9]/.test(line));
  const slug = (words ?? "").slice(0, nameCharactersMax).replace(/^-+|-+$/g, "");
  return slug === "" ? `errand-run-${id}` : `errand-run-${id}-${slug}`;
}

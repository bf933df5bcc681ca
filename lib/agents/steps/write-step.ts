import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { diffContent, hasReturns, readForDiff } from "./file-diff.ts";
import { resolveInTree } from "./path-in-tree.ts";
import { inlineCode, type PlannedStep, type StepControl, type StepResult, textContent } from "./planned-step.ts";

/** A step that writes one file of the working folder; missing parent folders are created. */
export function planWriteStep(path: string, text: string, thought: string): PlannedStep {
  return {
    title: `Write ${path || "a file without a name"}`,
    thought,
    toolName: "write_file",
    toolKind: "edit",
    rawInput: { path, content: text },
    run: (control) => writeStep(path, text, control),
  };
}

async function writeStep(path: string, text: string, control: StepControl): Promise<StepResult> {
  const startedAt = performance.now();
  const end = (failure: string | null, output: string, more: Partial<StepResult> = {}): StepResult => ({
    failure,
    cancelled: false,
    command: `write ${path}`,
    output: { output, truncated: false, duration_ms: Math.round(performance.now() - startedAt) },
    content: [textContent(output)],
    locations: [],
    ...more,
  });
  const refused = (reason: string) =>
    end(`${inlineCode(path)} was not written: ${reason}`, `Not written: ${reason}.\n`);
  try {
    const place = await resolveInTree(control.cwd, path);
    if ("refusal" in place) return refused(place.refusal);
    const before = await readForDiff(place.file);
    await mkdir(dirname(place.file), { recursive: true });
    // A block in a prompt cannot have carriage returns: Markdown removes them. Lines end as those of the replaced file did.
    const isReturned = before !== null && "text" in before && hasReturns(before.text);
    const written = isReturned ? text.replaceAll(/\r?\n/g, "\r\n") : text;
    await writeFile(place.file, written);
    const size = `${Buffer.byteLength(written).toLocaleString("en-US")} bytes${isReturned ? ", lines end in CRLF as before" : ""}`;
    const what = `${before === null ? "Created" : "Replaced"} ${path} (${size}).\n`;
    return end(null, what, {
      content: [diffContent(place.file, before, await readForDiff(place.file))],
      locations: [{ path: place.file }],
    });
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

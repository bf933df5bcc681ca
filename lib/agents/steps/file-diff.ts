import { readFile, stat } from "node:fs/promises";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { textContent } from "./planned-step.ts";

const shownBytesMax = 512 * 1024;

/** A file's text at one moment: null when it does not exist, else its text or why the text is not shown. */
export type FileText = null | { text: string } | { hidden: string };

/** Reads a file for a diff. Files above 512 KB, files with NUL bytes and pipes are not shown. */
export async function readForDiff(file: string): Promise<FileText> {
  try {
    const found = await stat(file);
    // A pipe would be waited for.
    if (!found.isFile()) return { hidden: "not a regular file" };
    const { size } = found;
    if (size > shownBytesMax) return { hidden: `${size.toLocaleString("en-US")} bytes` };
    const bytes = await readFile(file);
    return bytes.includes(0) ? { hidden: "binary" } : { text: bytes.toString() };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Whether every line of a text ends in carriage return and line feed. */
export function hasReturns(text: string): boolean {
  return text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
}

/** The change of one file as the content of a tool call: a diff, or one line if the text is not shown. */
export function diffContent(file: string, before: FileText, after: FileText): ToolCallContent {
  for (const side of [before, after]) {
    if (side !== null && "hidden" in side)
      return textContent(`${file} was changed; its text is not shown (${side.hidden}).`);
  }
  const textOf = (side: FileText) => (side !== null && "text" in side ? side.text : null);
  return { type: "diff", path: file, oldText: textOf(before), newText: textOf(after) ?? "" };
}

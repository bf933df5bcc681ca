import { attachmentBounds } from "#lib/contract/bounds.ts";
import { cutText } from "#lib/cut-text.ts";
import { formatBytes } from "#lib/format-bytes.ts";

/** A text file to attach to a message, in the API's format. */
export type TextFile = { name: string; media_type: string; text: string };

type Read = {
  /** The previous files, and those that could be added. */
  files: TextFile[];
  /** Reasons that files were not added, one sentence each. */
  refusals: string[];
};

const { filesMax, bytesMax, totalBytesMax, nameMax } = attachmentBounds;
/** Characters not allowed in a name: controls, direction marks, invisible characters, and those that would make it a path. */
const notInNames = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\]/gu;
/** Media types that browsers get right for text files; others, such as video/mp2t for TypeScript, are wrong. */
const textTypes = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml|javascript|sql))$/;

/** Adds files to a message's text files, if they are text and fit. The same file is added once; names are made unique. */
export async function addTextFiles(before: readonly TextFile[], added: readonly File[]): Promise<Read> {
  const files = [...before];
  const refusals: string[] = [];
  for (const file of added) {
    const name = nameOf(file);
    const text = await textOf(file, name);
    if ("refusal" in text) refusals.push(text.refusal);
    else if (files.some((one) => one.name === name && one.text === text.text)) continue;
    else if (files.length >= filesMax)
      refusals.push(`${name} was not attached: a message can have at most ${filesMax} text files.`);
    else if (files.reduce((sum, one) => sum + bytesOf(one.text), bytesOf(text.text)) > totalBytesMax)
      refusals.push(
        `${name} was not attached: all text files of a message can total at most ${formatBytes(totalBytesMax)}.`,
      );
    else files.push({ name: freeName(name, files), media_type: typeOf(file), text: text.text });
  }
  return { files, refusals };
}

async function textOf(file: File, name: string): Promise<{ text: string } | { refusal: string }> {
  if (file.size > bytesMax) return { refusal: `${name} is larger than ${formatBytes(bytesMax)}.` };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    // A folder, or a file that is gone.
    return { refusal: `${name} could not be read.` };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text === "") return { refusal: `${name} is empty.` };
    if (!text.includes("\u0000")) return { text };
  } catch {
    // Not UTF-8.
  }
  return { refusal: `${name} is not text in UTF-8.` };
}

function nameOf(file: File): string {
  const name = file.name.replace(notInNames, "").trim();
  if (name === "" || name === "." || name === "..") return "file.txt";
  if (name.length <= nameMax) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : "";
  return `${cutText(name, nameMax - ending.length)}${ending}`;
}

/** Numbers a name that is taken: `notes.txt` becomes `notes (2).txt`. */
function freeName(name: string, files: readonly TextFile[]): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let free = name;
  for (let count = 2; files.some((one) => one.name === free); count += 1) {
    const mark = ` (${count})`;
    free = `${cutText(stem, nameMax - ending.length - mark.length)}${mark}${ending}`;
  }
  return free;
}

function typeOf(file: File): string {
  const type = file.type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return textTypes.test(type) && type.length <= attachmentBounds.mediaTypeMax ? type : "text/plain";
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

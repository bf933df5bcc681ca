import { createHash } from "node:crypto";
import type { CheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { cutText } from "#lib/cut-text.ts";
import { checkOutputMarker } from "#lib/entry/checks-said.ts";
import { parseAnsiLines } from "#lib/entry/terminal-text.ts";
import { fenced } from "#lib/fenced.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";

/** A failed check with the end of its log, as far as the host keeps one. */
export type FailedCheck = { check: HostCheck; excerpt: string };

/** Characters of a check's log that the agent gets. */
const excerptMax = 16_384;
const annotationsMax = 50;
/** Characters of a check's annotations that the agent gets. */
const notesMax = 8192;
/** Checks whose output the agent gets; the others are only named, and of hundreds only the first. */
const checksMax = 20;
const namesMax = 50;
const nameMax = 200;
/** Characters of all checks' output together: a matrix of jobs fails for one reason, and says it many times. */
const saidMax = 120_000;

/** The end of a log without colors and timestamps: the last 16,384 characters, from the start of a line. */
export function excerptOf(log: string): string {
  const plain = parseAnsiLines(log)
    .map((runs) => runs.map(({ text }) => text).join(""))
    .map((line) => line.replace(/^\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\s?/, ""))
    .join("\n")
    .trim();
  if (plain.length <= excerptMax) return plain;
  const end = plain.slice(-excerptMax);
  return end.slice(end.indexOf("\n") + 1);
}

/** Equal for equal failures: made of conclusion, annotations and log, without what differs from run to run. */
export function signatureOf({ check, excerpt }: FailedCheck): string {
  const notes = check.annotations.map(({ path, line, level, message }) => [path, line, level, message]);
  const steady = excerpt
    .replace(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|m|min)\b/g, "T")
    .replace(/\b\d+ (?:MB|processes)\b/g, "N")
    .replace(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?\b/g, "T")
    .replace(/\b[0-9a-f]{7,40}\b/g, "H");
  return createHash("sha256")
    .update(JSON.stringify([check.conclusion, notes, steady]))
    .digest("hex")
    .slice(0, 32);
}

/** The prompt of a turn that is to fix checks. Their output is marked as such: it is never an instruction. */
export function fixPrompt(
  failed: readonly FailedCheck[],
  asked: { round: number; of: number; branch: string; settings: CheckSuiteSettings },
): string {
  const named = failed.slice(0, namesMax).map(({ check }) => codeOf(check.name));
  const others = failed.length - named.length;
  const names = `${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const parts = [
    `Checks of your work failed: ${names}. Find out why and fix it in the code; do not weaken or skip a check to make it pass. This is round ${asked.round} of ${asked.of}. What you change is committed to \`${asked.branch}\` and pushed when you have finished; do not push yourself.`,
    checkOutputMarker,
  ];
  let room = saidMax;
  for (const one of failed.slice(0, checksMax)) {
    const part = partOf(one, asked.settings);
    if (part.length > room) break;
    room -= part.length;
    parts.push(part);
  }
  const left = Math.min(failed.length, checksMax) - (parts.length - 2);
  if (left > 0) parts.push(`What ${left} more of them said is left out.`);
  return parts.join("\n\n").toWellFormed().replaceAll("\0", "");
}

function partOf({ check, excerpt }: FailedCheck, settings: CheckSuiteSettings): string {
  const { name, conclusion, annotations, url } = check;
  const custom = Object.hasOwn(settings.custom_prompts, name) ? settings.custom_prompts[name] : undefined;
  const notes = annotations
    .filter(({ level }) => level !== "notice")
    .slice(0, annotationsMax)
    .map(({ path, line, message }) => `${path}${line === null ? "" : `:${line}`}: ${message}`)
    .join("\n");
  const shown = cutText(notes, notesMax, "…");
  const place = url === null || /\s/.test(url) ? "" : `\n${url.slice(0, 500)}`;
  return [
    `## ${codeOf(name)}: ${conclusion === "timed_out" ? "it took too long" : "failed"}${place}`,
    ...(custom === undefined ? [] : [custom]),
    ...(shown === "" ? [] : [fenced(shown, "text")]),
    ...(excerpt === "" ? [] : [fenced(excerpt, "text")]),
  ].join("\n\n");
}

/** A check's name is untrusted too: a code span on one line, which the name cannot end. */
function codeOf(name: string): string {
  const line = name
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("`", "'")
    .trim();
  return `\`${cutText(line, nameMax, "…")}\``;
}

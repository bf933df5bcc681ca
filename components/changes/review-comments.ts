"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { DiffLine } from "#components/text/diff-rows.ts";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { cutText } from "#lib/cut-text.ts";
import { Lru } from "#lib/lru.ts";

/** A comment on lines of a file, with the code as it was when it was written. */
export type ReviewComment = {
  id: string;
  path: string;
  /** The version that the numbers refer to: the changed file, or the previous one if only removed lines were chosen. */
  side: "before" | "after";
  from: number;
  to: number;
  /** The quoted lines, each with its sign. */
  code: string;
  text: string;
};

/** Location of lines: side and numbers. */
export type LinePlace = Pick<ReviewComment, "side" | "from" | "to">;

/** Longer quotations, and longer lines such as minified code, are cut: the agent has the file. */
const quotedLinesMax = 60;
const quotedLineMax = 500;

/** Location of the chosen lines; null if none of them has a number. */
export function placeOf(lines: readonly DiffLine[]): LinePlace | null {
  const after = lines.flatMap(({ newLine }) => (newLine === null ? [] : [newLine]));
  const before = lines.flatMap(({ oldLine }) => (oldLine === null ? [] : [oldLine]));
  const side = after.length > 0 ? "after" : "before";
  const numbers = side === "after" ? after : before;
  const [from, to] = [numbers[0], numbers.at(-1)];
  return from === undefined || to === undefined ? null : { side, from, to };
}

/** The chosen lines with their signs, as in a patch. */
export function quoteOf(lines: readonly DiffLine[]): string {
  const signs = { same: " ", added: "+", removed: "-" };
  const shown = lines
    .slice(0, quotedLinesMax)
    .map(({ kind, text }) => `${signs[kind]}${cutText(text, quotedLineMax, "…")}`);
  const left = lines.length - shown.length;
  return (left === 0 ? shown : [...shown, `… ${left} more lines`]).join("\n");
}

/** Location in words: `line 3`, `lines 3–7`; removed lines are those of the previous version. */
export function placeWords({ side, from, to }: LinePlace): string {
  const lines = from === to ? `line ${from}` : `lines ${from}–${to}`;
  return side === "after" ? lines : `${lines} before the change`;
}

/** Comments as one message for the agent, in plain Markdown. */
export function messageOf(comments: readonly ReviewComment[]): string {
  const parts = comments.map(({ path, code, text, ...place }) => {
    const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    return `${codeSpan(path)}, ${placeWords(place)}:\n\n${fence}\n${code}\n${fence}\n\n${text.trim()}`;
  });
  return ["Please address these review comments on your changes.", ...parts].join("\n\n");
}

function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const room = /^`|`$/.test(text) ? " " : "";
  return `${ticks}${room}${text.replaceAll("\n", " ")}${room}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

/** Idempotency key for sending these comments: different comments, or a different message, have a different key. */
export function sendingKey(runId: number, comments: readonly ReviewComment[]): string {
  const text = [...comments.map(({ id }) => id), messageOf(comments)].join("\n");
  // FNV-1a, 32 bits: over plain HTTP a page has no SHA-256.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `review-${runId}-${comments.length}-${(hash >>> 0).toString(16)}`;
}

/** Parses stored comments. Returns none if the text cannot be read. */
export function readComments(text: string): ReviewComment[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is ReviewComment {
  if (typeof value !== "object" || value === null) return false;
  const { id, path, side, from, to, code, text } = value as Record<string, unknown>;
  const areTexts = [id, path, code, text].every((part) => typeof part === "string");
  return areTexts && (side === "before" || side === "after") && typeof from === "number" && typeof to === "number";
}

/** By run id. One for all who show or change a run's comments: a change is not reported to others in the same page. */
const keptOfRuns = new Lru<number, StoredChoice<string>>({ count: 50 });

/** Comments on a run that have not been sent. Stored in this browser and shared by all its pages. */
export function useReviewComments(runId: number) {
  const kept = keptOfRuns.obtain(
    runId,
    () => new StoredChoice<string>({ key: `errand.review.${runId}`, parse: (stored) => stored ?? "" }),
  );
  const text = useSyncExternalStore(kept.subscribe, kept.read, () => "");
  const comments = useMemo(() => readComments(text), [text]);
  const change = useCallback(
    (work: (comments: ReviewComment[]) => ReviewComment[]) => {
      const next = work(readComments(kept.read()));
      kept.choose(next.length === 0 ? "" : JSON.stringify(next));
    },
    [kept],
  );
  return {
    comments,
    add: useCallback((comment: ReviewComment) => change((before) => [...before, comment]), [change]),
    remove: useCallback(
      (ids: readonly string[]) => change((before) => before.filter(({ id }) => !ids.includes(id))),
      [change],
    ),
  };
}

import type { MessageType } from "#lib/contract/entry.ts";
import type { OutlineBucket } from "#lib/contract/outline.ts";

/** The map's columns, in px from its left edge: what was done, and where it went wrong. */
const kindsColumn = { left: 8, width: 20 };
const errorsColumn = { left: 31, width: 5 };
/** The least width in px of a kind that occurs; what a person said begins a turn and must not be missed. */
const WIDTH_MIN = 2;
const PERSON_WIDTH_MIN = 8;
/** The height in px of a part from which on parts are told apart. */
const APART_FROM = 6;
const ERROR_HEIGHT_MIN = 3;

/** How strongly the colour of a token is drawn, 0 to 1. */
type Tint = { token: string; alpha: number };

const quiet: Tint = { token: "--muted-foreground", alpha: 0.6 };
const person: Tint = { token: "--foreground", alpha: 0.75 };
const tints: Partial<Record<string, Tint>> = {
  ACTION: { token: "--muted-foreground", alpha: 0.24 },
  PLAN_EVALUATION: { token: "--muted-foreground", alpha: 0.5 },
  FINAL_ANSWER: { token: "--status-completed", alpha: 0.85 },
  USER_MESSAGE: person,
  USER_GITHUB_ISSUE_COMMENT: person,
  ERROR: { token: "--status-failed", alpha: 0.6 },
} satisfies Partial<Record<MessageType, Tint>>;
/** From left to right; kinds not named here come before the last one. */
const order = ["USER_MESSAGE", "USER_GITHUB_ISSUE_COMMENT", "ERROR", "FINAL_ANSWER", "PLAN_EVALUATION"];

export type OutlineDrawing = {
  buckets: readonly OutlineBucket[];
  /** See timeGapsOf. */
  gaps: readonly number[];
  /** All in px; the buckets fill the drawn height, and what has come since they were counted the rest. */
  width: number;
  height: number;
  drawnHeight: number;
  /** The value of a colour token of the page. */
  colourOf: (token: string) => string;
};

/** Draws a run's parts from top to bottom: kinds by colour, each as wide as it is frequent, errors beside them. */
export function drawOutline(context: CanvasRenderingContext2D, drawing: OutlineDrawing): void {
  const { buckets, gaps, drawnHeight, width, height, colourOf } = drawing;
  const covered = buckets.at(-1)?.to_seq ?? 0;
  const yOf = (entries: number) => Math.round((entries / Math.max(1, covered)) * drawnHeight);
  context.clearRect(0, 0, width, height);
  // Parts are told apart only where there is room for it.
  const gap = height / buckets.length >= APART_FROM ? 1 : 0;
  for (const bucket of buckets) {
    const top = yOf(bucket.from_seq - 1);
    drawKinds(context, bucket, top, yOf(bucket.to_seq) - top - gap, colourOf);
  }
  for (const after of gaps) drawGap(context, yOf(after), colourOf);
  for (const { from_seq, to_seq, errors } of buckets) {
    if (errors === 0) continue;
    const top = yOf(from_seq - 1);
    const markHeight = Math.max(ERROR_HEIGHT_MIN, yOf(to_seq) - top - gap);
    context.globalAlpha = 0.55 + 0.45 * Math.min(1, (errors / (to_seq - from_seq + 1)) * 4);
    context.fillStyle = colourOf("--status-failed");
    context.fillRect(errorsColumn.left, Math.min(top, height - markHeight), errorsColumn.width, markHeight);
  }
  context.globalAlpha = 1;
}

function drawKinds(
  context: CanvasRenderingContext2D,
  { counts, from_seq, to_seq }: OutlineBucket,
  top: number,
  height: number,
  colourOf: (token: string) => string,
): void {
  const entries = to_seq - from_seq + 1;
  const end = kindsColumn.left + kindsColumn.width;
  let left = kindsColumn.left;
  const kinds = Object.entries(counts).sort(([one], [other]) => rankOf(one) - rankOf(other));
  kinds.forEach(([kind, count], index) => {
    const tint = tints[kind] ?? quiet;
    const least = tint === person ? PERSON_WIDTH_MIN : WIDTH_MIN;
    const share = Math.max(least, Math.round((count / entries) * kindsColumn.width));
    const right = index === kinds.length - 1 ? end : Math.min(end, left + share);
    context.globalAlpha = tint.alpha;
    context.fillStyle = colourOf(tint.token);
    context.fillRect(left, top, right - left, Math.max(1, height));
    left = right;
  });
}

function rankOf(kind: string): number {
  if (kind === "ACTION") return order.length + 1;
  const rank = order.indexOf(kind);
  return rank === -1 ? order.length : rank;
}

/** A dotted line in a clearing. */
function drawGap(context: CanvasRenderingContext2D, y: number, colourOf: (token: string) => string): void {
  const { left, width } = kindsColumn;
  context.clearRect(left, y - 3, width, 6);
  context.globalAlpha = 1;
  context.fillStyle = colourOf("--muted-foreground");
  for (let x = left; x < left + width; x += 4) context.fillRect(x, y, 2, 1);
}

import type { Pencil } from "#components/canvas/pencil.ts";
import type { OutlineBucket } from "#lib/contract/logs/outline.ts";
import { personTint, tintOf } from "./kind-tints.ts";

/** Columns of the map, in px from its left edge: activity, and errors. */
const kindsColumn = { left: 8, width: 20 };
const errorsColumn = { left: 31, width: 5 };
/** Minimum width in px of an occurring kind; a person's message starts a turn and must not be missed. */
const WIDTH_MIN = 2;
const PERSON_WIDTH_MIN = 8;
/** Minimum height in px for separating parts. */
const APART_FROM = 6;
const ERROR_HEIGHT_MIN = 3;

/** From left to right; kinds not listed here come before the last one. */
const order = ["USER_MESSAGE", "USER_GITHUB_ISSUE_COMMENT", "ERROR", "FINAL_ANSWER", "PLAN_EVALUATION"];

export type OutlineDrawing = {
  buckets: readonly OutlineBucket[];
  /** See timeGapsOf. */
  gaps: readonly number[];
  /** All in px; the buckets fill the drawn height, newer entries the rest. */
  width: number;
  height: number;
  drawnHeight: number;
};

/** Draws a run's parts from top to bottom: kinds by color, each as wide as it is frequent, errors beside them. */
export function drawOutline(pencil: Pencil, { buckets, gaps, drawnHeight, width, height }: OutlineDrawing): void {
  const covered = buckets.at(-1)?.to_seq ?? 0;
  const yOf = (entries: number) => Math.round((entries / Math.max(1, covered)) * drawnHeight);
  pencil.context.clearRect(0, 0, width, height);
  // Parts are separated only if there is room.
  const gap = height / buckets.length >= APART_FROM ? 1 : 0;
  for (const bucket of buckets) {
    const top = yOf(bucket.from_seq - 1);
    drawKinds(pencil, bucket, top, yOf(bucket.to_seq) - top - gap);
  }
  for (const after of gaps) drawGap(pencil, yOf(after));
  for (const { from_seq, to_seq, errors } of buckets) {
    if (errors === 0) continue;
    const top = yOf(from_seq - 1);
    const markHeight = Math.max(ERROR_HEIGHT_MIN, yOf(to_seq) - top - gap);
    const alpha = 0.55 + 0.45 * Math.min(1, (errors / (to_seq - from_seq + 1)) * 4);
    const y = Math.min(top, height - markHeight);
    pencil.fill(errorsColumn.left, y, errorsColumn.width, markHeight, { token: "--status-failed", alpha });
  }
}

function drawKinds(pencil: Pencil, { counts, from_seq, to_seq }: OutlineBucket, top: number, height: number): void {
  const entries = to_seq - from_seq + 1;
  const end = kindsColumn.left + kindsColumn.width;
  let left = kindsColumn.left;
  const kinds = Object.entries(counts).sort(([one], [other]) => rankOf(one) - rankOf(other));
  kinds.forEach(([kind, count], index) => {
    const tint = tintOf(kind);
    const least = tint === personTint ? PERSON_WIDTH_MIN : WIDTH_MIN;
    const share = Math.max(least, Math.round((count / entries) * kindsColumn.width));
    const right = index === kinds.length - 1 ? end : Math.min(end, left + share);
    pencil.fill(left, top, right - left, Math.max(1, height), tint);
    left = right;
  });
}

function rankOf(kind: string): number {
  if (kind === "ACTION") return order.length + 1;
  const rank = order.indexOf(kind);
  return rank === -1 ? order.length : rank;
}

/** A dotted line with a margin. */
function drawGap(pencil: Pencil, y: number): void {
  const { left, width } = kindsColumn;
  pencil.context.clearRect(left, y - 3, width, 6);
  for (let x = left; x < left + width; x += 4) pencil.fill(x, y, 2, 1, { token: "--muted-foreground", alpha: 1 });
}

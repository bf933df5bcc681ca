import { hitStretches } from "./hit-stretches.ts";

/** Number of matching entries in each equal part of a run; `totalLogs` is how many entries the parts cover. */
export type HitMarks = { counts: readonly number[]; totalLogs: number };

type HitMarksProps = {
  marks: HitMarks;
  totalLogs: number;
  /** In px; the entries fill the height. */
  height: number;
  top: number;
};

/** Minimum height of a mark, in px. */
const MARK_HEIGHT_MIN = 2;

/** Parts of a run with hits, at the left of its map. */
export function HitMarksColumn({ marks: { counts, totalLogs: counted }, totalLogs, height, top }: HitMarksProps) {
  const partHeight = (height * (counted / Math.max(1, totalLogs))) / Math.max(1, counts.length);
  return (
    <div aria-hidden data-hits className="pointer-events-none absolute left-1 w-1" style={{ top, height }}>
      {hitStretches(counts, counted / Math.max(1, counts.length)).map(({ from, to, strength }) => (
        <div
          key={from}
          className="absolute inset-x-0 rounded-xs bg-find-current"
          style={{
            top: from * partHeight,
            height: Math.max(MARK_HEIGHT_MIN, (to - from) * partHeight),
            opacity: strength / 3,
          }}
        />
      ))}
    </div>
  );
}

/** Maximum height of one entry on the map, in px: the map of a short run is short. */
const ENTRY_HEIGHT_MAX = 12;
/** Minimum height in px of the box around the entries in view. */
const VIEW_HEIGHT_MIN = 8;

/** Height in px of a run's map within the available height. */
export function mapHeightOf(totalLogs: number, heightMax: number): number {
  return Math.min(heightMax, totalLogs * ENTRY_HEIGHT_MAX);
}

/** Seq of the entry at `y` px from the top of the map; the nearest one outside it. */
export function seqAt(y: number, totalLogs: number, mapHeight: number): number {
  const index = mapHeight <= 0 ? 0 : Math.floor((y / mapHeight) * totalLogs);
  return Math.max(0, Math.min(index, totalLogs - 1)) + 1;
}

/** Position of the box around the entries from seq `first` to `last`, in px. It never leaves the map. */
export function viewBoxOf(
  { first, last }: { first: number; last: number },
  totalLogs: number,
  mapHeight: number,
): { top: number; height: number } {
  const entryHeight = mapHeight / Math.max(1, totalLogs);
  const exact = Math.max(0, last - first + 1) * entryHeight;
  const height = Math.min(mapHeight, Math.max(VIEW_HEIGHT_MIN, exact));
  const top = (first - 1) * entryHeight - (height - exact) / 2;
  return { top: Math.max(0, Math.min(top, mapHeight - height)), height };
}

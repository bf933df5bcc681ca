/** The most that one entry takes of the map's height, in px: the map of a short run is short. */
const ENTRY_HEIGHT_MAX = 12;
/** The least height in px of the box that shows what is in view. */
const VIEW_HEIGHT_MIN = 8;

/** The height in px that a run's map takes of the height there is. */
export function mapHeightOf(totalLogs: number, heightMax: number): number {
  return Math.min(heightMax, totalLogs * ENTRY_HEIGHT_MAX);
}

/** The seq of the entry that the map shows at `y` px from its top; the nearest one for places outside of it. */
export function seqAt(y: number, totalLogs: number, mapHeight: number): number {
  const index = mapHeight <= 0 ? 0 : Math.floor((y / mapHeight) * totalLogs);
  return Math.max(0, Math.min(index, totalLogs - 1)) + 1;
}

/** Where the box around the entries from seq `first` to `last` stands, in px. It never leaves the map. */
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

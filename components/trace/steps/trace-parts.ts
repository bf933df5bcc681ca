// One fetch for what belongs to every list of steps and is not needed to read what came with the page.

export { EntryLine } from "#components/trace/entry/entry-line.tsx";
export { Minimap } from "#components/trace/minimap/minimap.tsx";
export { EntryItem } from "./entry-item.tsx";
export { FilterRow } from "./filter/filter-row.tsx";
export { FilteredList } from "./filter/filtered-list.tsx";
export { RunFind } from "./find/run-find.tsx";
export { InFlight } from "./in-flight.tsx";

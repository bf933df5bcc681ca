// One chunk for the parts that every list of steps has and that are not needed to read the rendered page.

export { EntryLine } from "#components/trace/entry/entry-line.tsx";
export { Minimap } from "#components/trace/minimap/minimap.tsx";
export { EntryItem } from "./entry-item.tsx";
export { FilterRow } from "./filter/filter-row.tsx";
export { FilteredList } from "./filtered-list.tsx";
export { RunFind } from "./find/run-find.tsx";
export { InFlight } from "./in-flight.tsx";

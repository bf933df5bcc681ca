// One fetch for what belongs to every trace and is not needed to read what came with the page.
export { RunStatus } from "#components/runs/run-status.tsx";
export { ConnectionBanner } from "./connection-banner.tsx";
export { EntryItem } from "./entry-item.tsx";
export { FilterRow } from "./filter/filter-row.tsx";
export { FilteredList } from "./filter/filtered-list.tsx";
export { HiddenEntry } from "./filter/hidden-entry.tsx";
export { RunFind } from "./find/run-find.tsx";
export { HeldEntry } from "./held-entry.tsx";
export { InFlight } from "./in-flight.tsx";
export { Minimap } from "./minimap/minimap.tsx";
export { RunEnd } from "./run-end.tsx";

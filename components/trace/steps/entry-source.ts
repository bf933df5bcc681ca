import type { ReactNode } from "react";
import type { Places } from "#components/feed/places.ts";
import type { FindError, TraceReader } from "#components/trace/reader/trace-reader.ts";
import type { WindowQuery } from "#components/trace/reader/use-log-windows.ts";
import type { LogEntry } from "#lib/contract/entry.ts";

/** Which entries a list shows, and how they are read. Keep the identity of each function. */
export type EntrySource = {
  windowQuery: WindowQuery;
  placesOf: (entries: ReadonlyMap<number, LogEntry>) => Places;
  /** How many entries the list has; it may grow. */
  count: number;
  /** False while the count still grows by what is there already: screen readers are told none. */
  isCounted: boolean;
  /** Entries that came live, where they belong to the list as they come; null where their windows are asked for again. */
  recent: readonly LogEntry[] | null;
  hasGroups: boolean;
  findError: FindError;
};

/** What a list is given beside its entries, whichever they are. */
export type EntryListProps = {
  source: EntrySource;
  /** How many entries the run has. */
  totalLogs: number;
  /** Where the list opens: a place in it (from 0), or one of its ends. Give another `key` to show another list. */
  start: "start" | "end" | number;
  isLive: boolean;
  reader: TraceReader;
  /** Nothing is listened to while the feed is not shown. */
  isShown: boolean;
  onAskFilter: () => void;
  /** What a card shows, where it is not the whole entry. */
  renderCard?: ((entry: LogEntry, next: LogEntry | null) => ReactNode) | undefined;
  header: ReactNode;
  /** By the last entry of the list, where it is at hand. */
  footer: (last: LogEntry | null) => ReactNode;
};

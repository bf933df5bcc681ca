import type { ReactNode } from "react";
import type { Places } from "#components/feed/places.ts";
import type { FindError, TraceReader } from "#components/trace/reader/trace-reader.ts";
import type { WindowQuery } from "#components/trace/reader/use-log-windows.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

/** The entries of a list, and how to read them. Keep the identity of each function. */
export type EntrySource = {
  windowQuery: WindowQuery;
  placesOf: (entries: ReadonlyMap<number, LogEntry>) => Places;
  /** Number of entries in the list; it may grow. */
  count: number;
  /**
   * False while the count grows because existing entries are still being found: those are not new, and not announced.
   */
  isCounted: boolean;
  /** Number of the run's entries that `count` covers at least; null if `renderCard` need not know the next entry. */
  countedLogs: number | null;
  /** Live entries, if they can be appended to the list as they come; null if their windows must be read again. */
  recent: readonly LogEntry[] | null;
  hasGroups: boolean;
  findError: FindError;
};

/** Props of a list besides its entries. */
export type EntryListProps = {
  source: EntrySource;
  /** Number of entries in the run. */
  totalLogs: number;
  /** Initial position: a place in the list (from 0), or one of its ends. Give another `key` to show another list. */
  start: "start" | "end" | number;
  isLive: boolean;
  reader: TraceReader;
  /** Keys are ignored while the feed is not shown. */
  isShown: boolean;
  onAskFilter: () => void;
  /** Content of a card, if it is not the whole entry. */
  renderCard?: ((entry: LogEntry, nextSeq: number | null) => ReactNode) | undefined;
  header: ReactNode;
  /** Called with the last entry of the list, if it is loaded. */
  footer: (last: LogEntry | null) => ReactNode;
};

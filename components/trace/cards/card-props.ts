import type { LogEntry } from "#lib/contract/entry.ts";

/** What every card is given; it stands in the shared panel. */
export type CardProps = {
  entry: LogEntry;
  /** The entry after this one, where it links to the run that this call of an agent started. */
  link?: LogEntry | null;
  /** This entry is such a link, and the card before it shows it. */
  isJoined?: boolean;
};

import type { LogEntry } from "#lib/contract/entry.ts";

/** What every card is given; it stands in the shared panel. */
export type CardProps = { entry: LogEntry };

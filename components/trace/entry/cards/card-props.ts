import type { LogEntry } from "#lib/contract/logs/entry.ts";

/** Props of every card. Cards are rendered in the shared panel. */
export type CardProps = { entry: LogEntry };

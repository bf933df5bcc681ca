import { type Logger, pino } from "pino";

export type { Logger };

/** A JSON-lines logger on standard error, so that standard output is free for output to people and scripts. */
export function createLogger(part: "web" | "engine" | "start" | "cli", level: string): Logger {
  return pino({ name: part, level, base: { part } }, pino.destination({ dest: 2, sync: true }));
}

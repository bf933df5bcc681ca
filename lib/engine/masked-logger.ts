import type { ValueMask } from "#lib/entry/mask-values.ts";
import type { EngineLogger } from "./engine-parts.ts";

/** The service's log as a run writes to it: errors, which may quote what its agent wrote, without the run's secrets. */
export function maskedLogger(logger: EngineLogger, maskNow: () => ValueMask): EngineLogger {
  const masked = (fields: object) => {
    const { text } = maskNow();
    const shown = (value: unknown) => {
      if (typeof value === "string") return text(value);
      if (!(value instanceof Error)) return value;
      return { type: value.name, message: text(value.message), stack: text(value.stack ?? "") };
    };
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value)]));
  };
  return {
    info: (fields, message) => logger.info(masked(fields), message),
    warn: (fields, message) => logger.warn(masked(fields), message),
    error: (fields, message) => logger.error(masked(fields), message),
  };
}

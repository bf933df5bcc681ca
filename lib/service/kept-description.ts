import { buildOpenapi } from "#lib/contract/openapi.ts";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import type { RunLimits } from "#lib/contract/run-limits.ts";
import { Tagged } from "./reply.ts";

/** The API's description, built once for its limits. */
export class KeptDescription {
  #kept: { rates: RateSettings; runLimits: RunLimits; description: Tagged } | null = null;

  /** The description with these limits. */
  of(rates: RateSettings, runLimits: RunLimits): Tagged {
    if (this.#kept?.rates !== rates || this.#kept.runLimits !== runLimits)
      this.#kept = { rates, runLimits, description: new Tagged(buildOpenapi(rates, runLimits)) };
    return this.#kept.description;
  }
}

import { type KnownValues, maskJson, maskText } from "./mask-secrets.ts";
import { presentSharedEntry } from "./shared-entry.ts";

/** How a log is masked for an agent that analyzes it: as on a shared page, but with tool output. */
export function traceMasks(values: KnownValues) {
  // A mask may be longer than its secret, and texts of an analysis have limits.
  const mask = (text: string) => maskText(text, undefined, values).slice(0, text.length);
  return {
    present: (body: string, clip: number | null): string =>
      presentSharedEntry(body, { showsOutputs: true, values }, clip),
    maskJson: (value: unknown): unknown => maskJson(value, mask, { masked: 0 }),
  };
}

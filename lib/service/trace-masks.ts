import { maskJson, maskText } from "./mask-secrets.ts";
import { presentSharedEntry } from "./shared-entry.ts";

/** How a log is masked for an agent that analyzes it: as on a shared page, but with tool output. */
export const traceMasks = {
  present: (body: string, clip: number | null): string => presentSharedEntry(body, { showsOutputs: true }, clip),
  // A mask may be longer than its secret, and texts of an analysis have limits.
  maskJson: (value: unknown): unknown => maskJson(value, (text) => maskText(text).slice(0, text.length), { masked: 0 }),
};

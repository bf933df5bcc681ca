import { maskJson, maskText } from "./mask-secrets.ts";
import { presentSharedEntry } from "./shared-entry.ts";

/** How a log is masked that an agent is given to analyse: as a shared page shows it, with the outputs of tools. */
export const traceMasks = {
  present: (body: string, clip: number | null): string => presentSharedEntry(body, { showsOutputs: true }, clip),
  // A mask may be longer than its secret, and the texts of an analysis have bounds.
  maskJson: (value: unknown): unknown => maskJson(value, (text) => maskText(text).slice(0, text.length), { masked: 0 }),
};

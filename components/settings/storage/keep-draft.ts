import { formatCountOf } from "#components/shell/format-number.ts";
import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";

/** Limits on what is kept, as typed; empty means no limit. */
export type KeepDraft = { runsDays: string; runsGb: string; checkoutsDays: string };
export type KeepChanges = Partial<
  Pick<OrganizationSettings, "keep_runs_days" | "keep_runs_gb" | "keep_checkouts_days">
>;

/** The limits, in the order of the form. */
export const keepFields = [
  { name: "runsDays", field: "keep_runs_days", label: "Delete runs after", unit: "days", empty: "Never" },
  { name: "runsGb", field: "keep_runs_gb", label: "Keep logs up to", unit: "GB", empty: "No limit" },
  {
    name: "checkoutsDays",
    field: "keep_checkouts_days",
    label: "Remove checkouts after",
    unit: "days",
    empty: "Never",
  },
] as const;

/** Saved settings in the form's format. */
export function keepDraftOf(settings: OrganizationSettings): KeepDraft {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    runsDays: text(settings.keep_runs_days),
    runsGb: text(settings.keep_runs_gb),
    checkoutsDays: text(settings.keep_checkouts_days),
  };
}

/** Changes from the saved settings; `unreadable` names fields that are not numbers, or could mean two. */
export function keepChangesOf(
  draft: KeepDraft,
  settings: OrganizationSettings,
): { changes: KeepChanges; unreadable: (keyof KeepDraft)[] } {
  const changes: KeepChanges = {};
  const unreadable: (keyof KeepDraft)[] = [];
  for (const { name, field, unit } of keepFields) {
    const text = draft[name].trim();
    const value = text === "" ? null : unit === "GB" ? readGigabytes(text) : readDays(text);
    if (value === undefined) unreadable.push(name);
    else if (value !== settings[field]) changes[field] = value;
  }
  return { changes, unreadable };
}

/** The limits as they will be saved: `Delete runs after: 90 days. Keep logs up to: no limit.` */
export function wordsOfChanges(changes: KeepChanges): string {
  const words = keepFields.flatMap(({ field, label, unit, empty }) => {
    const value = changes[field];
    if (value === undefined) return [];
    const amount = value === null ? empty.toLowerCase() : unit === "GB" ? `${value} GB` : formatCountOf(value, "day");
    return [`${label}: ${amount}.`];
  });
  return words.join(" ");
}

function readDays(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** A decimal comma is accepted, but not in `1,500`, which is 1500 to some people. */
function readGigabytes(text: string): number | undefined {
  return /^\d*[.,]?\d+$/.test(text) && !/,\d{3}$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}

import { formatCountOf } from "#components/shell/format-number.ts";
import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";

/** The limits, in the order of the form. */
export const keepFields = [
  { field: "keep_runs_days", label: "Delete runs after", unit: "days", empty: "Never" },
  { field: "keep_runs_gb", label: "Keep logs up to", unit: "GB", empty: "No limit" },
  { field: "keep_checkouts_days", label: "Remove checkouts after", unit: "days", empty: "Never" },
] as const;
type KeepField = (typeof keepFields)[number]["field"];

/** Limits on what is kept, as typed; empty means no limit. */
export type KeepDraft = Record<KeepField, string>;
export type KeepChanges = Partial<Pick<OrganizationSettings, KeepField>>;

/** Saved settings in the form's format. */
export function keepDraftOf({ keep_runs_days, keep_runs_gb, keep_checkouts_days }: OrganizationSettings): KeepDraft {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    keep_runs_days: text(keep_runs_days),
    keep_runs_gb: text(keep_runs_gb),
    keep_checkouts_days: text(keep_checkouts_days),
  };
}

/** The limits of a draft; undefined for what is not a number, or could mean two. */
export function limitsOf(draft: KeepDraft): Record<KeepField, number | null | undefined> {
  return {
    keep_runs_days: limitOf(draft.keep_runs_days, readDays),
    keep_runs_gb: limitOf(draft.keep_runs_gb, readGigabytes),
    keep_checkouts_days: limitOf(draft.keep_checkouts_days, readDays),
  };
}

function limitOf(text: string, read: (text: string) => number | undefined): number | null | undefined {
  return text.trim() === "" ? null : read(text.trim());
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

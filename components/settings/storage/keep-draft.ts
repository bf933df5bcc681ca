import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";

/** Limits on what is kept, as typed; empty means no limit. */
export type KeepDraft = { runsDays: string; runsGb: string; checkoutsDays: string };
export type KeepChanges = Partial<
  Pick<OrganizationSettings, "keep_runs_days" | "keep_runs_gb" | "keep_checkouts_days">
>;

const fields = {
  runsDays: "keep_runs_days",
  runsGb: "keep_runs_gb",
  checkoutsDays: "keep_checkouts_days",
} as const;

/** Saved settings in the form's format. */
export function keepDraftOf(settings: OrganizationSettings): KeepDraft {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    runsDays: text(settings.keep_runs_days),
    runsGb: text(settings.keep_runs_gb),
    checkoutsDays: text(settings.keep_checkouts_days),
  };
}

/** Changes from the saved settings; `unreadable` names fields that are not numbers. */
export function keepChangesOf(
  draft: KeepDraft,
  settings: OrganizationSettings,
): { changes: KeepChanges; unreadable: (keyof KeepDraft)[] } {
  const changes: KeepChanges = {};
  const unreadable: (keyof KeepDraft)[] = [];
  for (const [name, field] of Object.entries(fields) as [keyof KeepDraft, (typeof fields)[keyof KeepDraft]][]) {
    const text = draft[name].trim();
    const value = text === "" ? null : Number(text.replace(",", "."));
    if (Number.isNaN(value)) unreadable.push(name);
    else if (value !== settings[field]) changes[field] = value;
  }
  return { changes, unreadable };
}

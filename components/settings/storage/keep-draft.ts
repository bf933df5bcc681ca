import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";

/** The settings for what is kept, as typed; empty: no bound. */
export type KeepDraft = { runsDays: string; runsGb: string; checkoutsDays: string };
export type KeepChanges = Partial<
  Pick<OrganizationSettings, "keep_runs_days" | "keep_runs_gb" | "keep_checkouts_days">
>;

const fields = {
  runsDays: "keep_runs_days",
  runsGb: "keep_runs_gb",
  checkoutsDays: "keep_checkouts_days",
} as const;

/** Saved settings as they are typed. */
export function keepDraftOf(settings: OrganizationSettings): KeepDraft {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    runsDays: text(settings.keep_runs_days),
    runsGb: text(settings.keep_runs_gb),
    checkoutsDays: text(settings.keep_checkouts_days),
  };
}

/** What differs from the saved settings; `unreadable` names fields that hold no number. */
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

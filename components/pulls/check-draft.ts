import { editedOf } from "#components/page/edits.ts";
import type { CheckSuiteSettings } from "#lib/contract/check-suite.ts";

/** Form values of a check with its own settings. Null `retries` and an empty prompt mean: as for all checks. */
export type CheckDraft = { key: number; name: string; isIgnored: boolean; retries: number | null; prompt: string };

/** Form values of the check settings; `apps` has one per line. */
export type ChecksDraft = { retries: number; apps: string; checks: CheckDraft[] };

/** Creates a draft from settings: one row for each check that has a setting of its own, sorted by name. */
export function draftOf(settings: CheckSuiteSettings): ChecksDraft {
  const { check_retry_count, ignored_checks, check_retry_counts, custom_prompts, high_priority_apps } = settings;
  const counts = new Map(Object.entries(check_retry_counts));
  const prompts = new Map(Object.entries(custom_prompts));
  const names = new Set([...ignored_checks, ...counts.keys(), ...prompts.keys()]);
  return {
    retries: check_retry_count,
    apps: high_priority_apps.join("\n"),
    checks: [...names].toSorted().map((name, key) => ({
      key,
      name,
      isIgnored: ignored_checks.includes(name),
      retries: counts.get(name) ?? null,
      prompt: prompts.get(name) ?? "",
    })),
  };
}

/** Creates settings from a draft in which {@link problemOf} finds nothing. */
export function settingsOf({ retries, apps, checks }: ChecksDraft): CheckSuiteSettings {
  const named = checks.map((check) => ({ ...check, name: check.name.trim() }));
  return {
    check_retry_count: retries,
    ignored_checks: named.filter(({ isIgnored }) => isIgnored).map(({ name }) => name),
    check_retry_counts: Object.fromEntries(
      named.flatMap(({ name, retries: own }) => (own === null ? [] : [[name, own]])),
    ),
    custom_prompts: Object.fromEntries(
      named.flatMap(({ name, prompt }) => (prompt.trim() === "" ? [] : [[name, prompt]])),
    ),
    high_priority_apps: apps
      .split("\n")
      .map((app) => app.trim())
      .filter((app) => app !== ""),
  };
}

/** Settings of a draft that differ from those it began with. */
export function changesOf(draft: ChecksDraft, start: CheckSuiteSettings): Partial<CheckSuiteSettings> {
  return editedOf(settingsOf(draft), settingsOf(draftOf(start)));
}

/** Reason a row cannot be saved because its content would be lost, or null. */
export function problemOf(
  { key, name, isIgnored, retries, prompt }: CheckDraft,
  { checks }: ChecksDraft,
): string | null {
  const plain = name.trim();
  if (plain === "") return "Choose or type the check's name.";
  if (checks.some((other) => other.key !== key && other.name.trim() === plain)) return "This check is listed twice.";
  return !isIgnored && retries === null && prompt.trim() === ""
    ? "Ignore this check, or set its rounds or prompt."
    : null;
}

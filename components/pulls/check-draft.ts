import type { CheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";

/** Form values of a check with its own settings. Null `retries` and an empty prompt mean: as for all checks. */
export type CheckDraft = { key: string; name: string; isIgnored: boolean; retries: number | null; prompt: string };

/** Form values of the check settings; the apps have one line each. */
export type ChecksDraft = { check_retry_count: number; high_priority_apps: string; checks: CheckDraft[] };

/** Creates a draft from settings: one row for each check that has a setting of its own, sorted by name. */
export function draftOf(settings: CheckSuiteSettings): ChecksDraft {
  const { check_retry_count, ignored_checks, check_retry_counts, custom_prompts, high_priority_apps } = settings;
  const counts = new Map(Object.entries(check_retry_counts));
  const prompts = new Map(Object.entries(custom_prompts));
  const names = new Set([...ignored_checks, ...counts.keys(), ...prompts.keys()]);
  return {
    check_retry_count,
    high_priority_apps: high_priority_apps.join("\n"),
    checks: [...names].toSorted().map((name) => ({
      key: name,
      name,
      isIgnored: ignored_checks.includes(name),
      retries: counts.get(name) ?? null,
      prompt: prompts.get(name) ?? "",
    })),
  };
}

/** Creates settings from a draft; they can be saved if {@link problemOf} finds nothing in it. */
export function settingsOf({ check_retry_count, high_priority_apps, checks }: ChecksDraft): CheckSuiteSettings {
  const named = checks.map((check) => ({ ...check, name: check.name.trim() }));
  return {
    check_retry_count,
    ignored_checks: named.filter(({ isIgnored }) => isIgnored).map(({ name }) => name),
    check_retry_counts: Object.fromEntries(
      named.flatMap(({ name, retries: own }) => (own === null ? [] : [[name, own]])),
    ),
    // A row with nothing in it has an empty prompt: it is a change, though one that cannot be saved.
    custom_prompts: Object.fromEntries(
      named
        .filter(({ isIgnored, retries: own, prompt }) => prompt.trim() !== "" || (!isIgnored && own === null))
        .map(({ name, prompt }) => [name, prompt]),
    ),
    high_priority_apps: high_priority_apps
      .split("\n")
      .map((app) => app.trim())
      .filter((app) => app !== ""),
  };
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

import { z } from "zod";
import { checkSuiteBounds } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { FilledText } from "#lib/contract/text.ts";

const { retriesMax, namesMax, nameMax, promptMax } = checkSuiteBounds;
const Retries = z.int().min(0).max(retriesMax);
const Name = FilledText(nameMax);
const Names = z.array(Name).max(namesMax);

/** A value per check, by its name. */
const ByCheck = <T extends z.ZodType>(value: T) =>
  z
    .record(Name, value)
    .refine((checks) => Object.keys(checks).length <= namesMax, `must have at most ${namesMax} entries`);

/** A repository's settings for the checks of its pull requests. */
export const CheckSuiteSettings = z.object({
  check_retry_count: Retries.describe(
    "How many times a failed check is handed to the agent, for each pull request; 0: never",
  ),
  ignored_checks: Names.describe("Checks that are never handed to the agent or counted in the verdict"),
  check_retry_counts: ByCheck(Retries).describe(
    "The same limit for individual checks, by name. The highest of these and `check_retry_count` is the maximum number of rounds of a pull request",
  ),
  custom_prompts: ByCheck(FilledText(promptMax)).describe(
    "Text added to the agent's prompt when a check fails, by the check's name",
  ),
  high_priority_apps: Names.describe(
    "Apps whose failed checks are handed to the agent at once, without waiting for the others",
  ),
});
export type CheckSuiteSettings = z.infer<typeof CheckSuiteSettings>;

/** Settings of a repository for which nobody has set any. */
export const checkSuiteDefaults: CheckSuiteSettings = {
  check_retry_count: 3,
  ignored_checks: [],
  check_retry_counts: {},
  custom_prompts: {},
  high_priority_apps: [],
};

/** How many rounds a pull request may have: as many as the check with the most. */
export function roundsMax({ check_retry_count, check_retry_counts }: CheckSuiteSettings): number {
  return Math.max(check_retry_count, ...Object.values(check_retry_counts));
}

/** The settings, with the known checks to choose from. */
export const ShownCheckSuiteSettings = CheckSuiteSettings.extend({
  available_check_suite_names: z
    .array(z.string())
    .describe("Names of the checks last seen on its runs' pull requests, at most 200, sorted by name"),
});
z.globalRegistry.add(ShownCheckSuiteSettings, {
  example: {
    check_retry_count: 3,
    ignored_checks: ["coverage"],
    check_retry_counts: { lint: 1 },
    custom_prompts: { lint: "Run npm run format." },
    high_priority_apps: ["ci"],
    available_check_suite_names: [],
  },
});
export type ShownCheckSuiteSettings = z.infer<typeof ShownCheckSuiteSettings>;

/** Request body of `PUT check-suite-settings`: absent and null fields stay as they are; others are replaced completely. */
export const PutCheckSuiteSettings = z.object({
  check_retry_count: CheckSuiteSettings.shape.check_retry_count
    .nullish()
    .describe("How many times a failed check is handed to the agent, for each pull request; 0: never"),
  ignored_checks: CheckSuiteSettings.shape.ignored_checks
    .nullish()
    .describe("Checks that are never handed to the agent or counted in the verdict"),
  check_retry_counts: CheckSuiteSettings.shape.check_retry_counts
    .nullish()
    .describe(
      "The same limit for individual checks, by name. The highest of these and `check_retry_count` is the maximum number of rounds of a pull request",
    ),
  custom_prompts: CheckSuiteSettings.shape.custom_prompts
    .nullish()
    .describe("Text added to the agent's prompt when a check fails, by the check's name"),
  high_priority_apps: CheckSuiteSettings.shape.high_priority_apps
    .nullish()
    .describe("Apps whose failed checks are handed to the agent at once, without waiting for the others"),
});
z.globalRegistry.add(PutCheckSuiteSettings, { example: { check_retry_count: 2, ignored_checks: ["coverage"] } });
export type PutCheckSuiteSettings = z.infer<typeof PutCheckSuiteSettings>;

export const getCheckSuiteSettings = defineOperation({
  id: "getCheckSuiteSettings",
  isReference: true,
  summary: "Get a repository's check settings",
  description: "They apply to pull requests of its runs: which failed checks are handed to the agent, and how often.",
  scope: "repos:read",
  refusals: ["not_found"],
  params: OrgParams,
  query: z.object({ repo_id: Id.describe("The repository").meta({ example: 1 }) }),
  result: ShownCheckSuiteSettings,
});

export const putCheckSuiteSettings = defineOperation({
  id: "putCheckSuiteSettings",
  isReference: true,
  summary: "Change a repository's check settings",
  description: "Fields left out stay as they are. They apply from the next round on.",
  scope: "repos:write",
  rateClass: "edit",
  refusals: ["not_found"],
  params: OrgParams,
  query: z.object({ repo_id: Id.describe("The repository").meta({ example: 1 }) }),
  body: PutCheckSuiteSettings,
  result: ShownCheckSuiteSettings,
  ifMatch: true,
  tagged: true,
});

import { z } from "zod";
import { bulkCancelMax, metadataFiltersMax, metadataNameMax, metadataValueMax } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams, repeatable } from "#lib/contract/define-operation.ts";
import { ExactNumber } from "#lib/contract/exact-json.ts";
import { newestFirst, Page, Paging } from "#lib/contract/page.ts";
import { FilledText, Text } from "#lib/contract/text.ts";
import { Run, SourceType } from "./run.ts";
import { parseStatusWords, type RunStatus } from "./run-status.ts";

/** Several statuses separated by commas, or the parameter repeated; the reference service's words are accepted too. */
const StatusList = z.string().transform((value, context): RunStatus[] => {
  const parsed = parseStatusWords(value.split(",").map((part) => part.trim()));
  if (typeof parsed !== "string") return parsed;
  context.addIssue({ code: "custom", message: parsed });
  return z.NEVER;
});

/** `name=value`, one per line: the parameter may be repeated. */
const MetadataFilter = z.string().transform((value, context): [name: string, value: string][] => {
  const pairs = value.split("\n").map((line): [string, string] => {
    const at = line.indexOf("=");
    return [line.slice(0, Math.max(at, 0)), line.slice(at + 1)];
  });
  const isWrong = pairs.some(
    ([name, text]) => name === "" || name.length > metadataNameMax || text === "" || text.length > metadataValueMax,
  );
  if (!isWrong && pairs.length <= metadataFiltersMax) return pairs;
  const message = `must be name=value, at most ${metadataFiltersMax} times; a name has 1 to ${metadataNameMax} characters, a value 1 to ${metadataValueMax}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** Fields of a run that a response may be reduced to; `id` is always there. */
const RunFields = z.string().transform((value, context): (keyof Run)[] => {
  const names = value.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(Run.shape, name));
  if (unknown === undefined) return [...new Set(["id", ...names])] as (keyof Run)[];
  context.addIssue({ code: "custom", message: `a run has no field ${JSON.stringify(unknown)}` });
  return z.NEVER;
});

/** Orders of a list of runs. */
const RunSort = z.enum([newestFirst, "created_at", "-finished_at"]);

export const ListRunsQuery = Paging.extend({
  status: StatusList.optional().meta({
    description: "One status, or several separated by commas or repeated",
    [repeatable]: true,
  }),
  repo_id: Id.optional().describe("Only runs in this repository"),
  user_id: Id.optional().describe("Only runs started by this person"),
  source_type: SourceType.optional().describe("Only runs with this origin"),
  agent: Text(64).optional().describe("Only runs with this agent"),
  created_after: z.iso.datetime({ offset: true }).optional().describe("Only runs created at or after this time"),
  created_before: z.iso.datetime({ offset: true }).optional().describe("Only runs created before this time"),
  q: Text(200).optional().describe("Text in the prompt, ignoring case"),
  metadata: MetadataFilter.optional().meta({
    description: `\`name=value\`: only runs whose metadata has this text, number or boolean under this name. Repeat it for several, at most ${metadataFiltersMax}: all must match. Not found: names of more than ${metadataNameMax} characters or with \`=\`; values that are empty, have more than ${metadataValueMax} characters or a line break; objects, arrays and null`,
    [repeatable]: "\n",
  }),
  before: Id.optional().describe(
    "Only runs older than this one: unlike with `skip`, no run is repeated when new ones are created. 400 with a `sort` other than -created_at",
  ),
  sort: RunSort.default(newestFirst).describe(
    "-created_at: newest first; created_at: oldest first; -finished_at: most recently ended first, then runs that have not ended",
  ),
  fields: RunFields.optional().meta({
    description:
      "Only these fields of each run, and its id: one, or several separated by commas or repeated. The others are missing from the response, although the schema of a run requires them",
    [repeatable]: true,
  }),
});
z.globalRegistry.add(ListRunsQuery, { example: { status: "running,waiting", limit: 20 } });
export type ListRunsQuery = z.infer<typeof ListRunsQuery>;

export const listRuns = defineOperation({
  id: "listRuns",
  isReference: true,
  summary: "List runs",
  description: "Newest first, unless `sort` says otherwise.",
  scope: "runs:read",
  params: OrgParams,
  query: ListRunsQuery,
  result: Page(Run),
});

/** Which runs to cancel: all that match every given field. */
export const CancelRuns = z
  .object({
    agent_run_ids: z.array(Id).min(1).max(bulkCancelMax).optional().describe("Only these runs"),
    status: z
      .array(z.enum(["queued", "running", "waiting", "evaluating"]))
      .min(1)
      .optional()
      .describe("Only runs in one of these statuses; by default every run that has not ended"),
    ...ListRunsQuery.pick({
      repo_id: true,
      user_id: true,
      source_type: true,
      agent: true,
      created_after: true,
      created_before: true,
    }).shape,
    q: FilledText(200).optional().describe("Text in the prompt, ignoring case"),
    metadata: z
      .record(
        z.string().min(1).max(metadataNameMax),
        z.preprocess(
          (value) => (value instanceof ExactNumber ? String(value) : value),
          z.union([z.string().min(1).max(metadataValueMax), z.number(), z.boolean()]).transform(String),
        ),
      )
      .refine(
        (pairs) => Object.keys(pairs).length > 0 && Object.keys(pairs).length <= metadataFiltersMax,
        `must have 1 to ${metadataFiltersMax} names`,
      )
      .optional()
      .describe("Only runs whose metadata has these texts, numbers and booleans; all must match"),
    all: z.literal(true).optional().describe("Instead of a filter: every run of the organization that has not ended"),
  })
  .refine(({ all, ...filters }) => (all === true) !== Object.values(filters).some((value) => value !== undefined), {
    message: "must have at least one filter, or only all: true",
  });
z.globalRegistry.add(CancelRuns, { id: "CancelRuns", example: { status: ["queued"], repo_id: 1 } });
export type CancelRuns = z.infer<typeof CancelRuns>;

export const cancelRuns = defineOperation({
  id: "cancelRuns",
  summary: "Cancel several runs",
  description: `Cancels each run that matches every given field and has not ended, as POST cancel does: queued ones first, so that cancelling a running one does not start them. At most ${bulkCancelMax} at once: \`remaining\` says how many are left. Ids of runs that do not exist or have ended are ignored; 404 if there is no such repository.`,
  scope: "runs:write",
  act: "cancel",
  params: OrgParams,
  body: CancelRuns,
  result: z.object({
    cancelled_run_ids: z
      .array(z.int())
      .describe(
        "Runs that are cancelled, or will be once their agent has stopped; until then a repeated request names them again",
      ),
    remaining: z.int().describe("How many more runs match; repeat the request for them"),
  }),
  idempotent: "repeatable",
});

import { z } from "zod";
import { branchNameProblem } from "./branch-name.ts";
import { RunStatus } from "./run-status.ts";
import { FilledText, Instant, JsonObject, Text } from "./text.ts";
import { RunWebhook, WebhookOverrides } from "./webhook.ts";

/** The longest prompt, in UTF-16 units. */
export const promptCharactersMax = 262_144;

/** How the agent's requests for permission are answered: allow each once, refuse what writes, or ask a person. */
export const PermissionMode = z.enum(["auto", "read-only", "ask"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Where a run came from: the reference service's words. API for a token, CHAT for the dashboard, LOCAL for the command line. */
export const SourceType = z.enum([
  "LOCAL",
  "SLACK",
  "GITHUB",
  "GITHUB_CHECK_SUITE",
  "GITHUB_PR_REVIEW",
  "LINEAR",
  "API",
  "CHAT",
  "JIRA",
  "CLICKUP",
  "MONDAY",
  "SETUP_COMMANDS",
]);
export type SourceType = z.infer<typeof SourceType>;

/** Tokens that the agent says it used, over all turns. */
export const Tokens = z.object({
  input: z.int().describe("Tokens read, cached ones included"),
  output: z.int().describe("Tokens written, thoughts included"),
  total: z.int().describe("Input and output together"),
});
export type Tokens = z.infer<typeof Tokens>;

/** A question that a run in status `waiting` asks; the answer is one of its options (POST …/answer). */
export const Question = z.object({
  id: z.string().describe("Id of the question, for `question_id` of POST answer"),
  title: z.string().describe("What the agent wants to do"),
  tool_name: z.string().nullable().describe("Tool that asks for permission, or null"),
  tool_input: z
    .unknown()
    .meta({ type: ["object", "null"], additionalProperties: true })
    .describe("Input of the call that waits, or null"),
  options: z
    .array(
      z.object({
        id: z.string().describe("Id of the option, for `option_id` of POST answer"),
        name: z.string().describe("Words for a person"),
        kind: z
          .enum(["allow_once", "allow_always", "reject_once", "reject_always"])
          .describe("Effect of choosing it: allow or reject, this once or from now on"),
      }),
    )
    .describe("Choices, in the agent's order"),
  asked_at: Instant.describe("When the agent asked"),
  expires_at: Instant.describe("When silence counts as a rejection"),
});
export type Question = z.infer<typeof Question>;

/** What the run changed against its base commit. */
export const Changes = z.object({
  files: z.int().describe("Changed files"),
  insertions: z.int().describe("Added lines"),
  deletions: z.int().describe("Removed lines"),
  truncated: z.boolean().describe("The kept diff was cut because it was too large"),
});
export type Changes = z.infer<typeof Changes>;

/** One errand of one agent (§2.1). */
export const Run = z.object({
  id: z.int().describe("The run's id, unique in the instance"),
  organization_id: z.int().describe("The organization that the run belongs to"),
  status: z.string().describe(`${RunStatus.options.join(", ")}, or the reference service's words`),
  created_at: Instant.describe("When the run was asked for"),
  web_url: z.string().describe("The run's page on the dashboard"),
  result: z
    .string()
    .nullable()
    .describe("The answer of the last turn that ended with one, also while a later turn runs or after it failed"),
  summary: z.string().nullable().describe("The first line of the result, or null"),
  result_turn: z
    .int()
    .nullable()
    .describe("The number of the turn that gave result and summary; null, as they are, while no turn has answered"),
  source_type: SourceType.describe("Origin of the run: API for a token, CHAT for the dashboard, LOCAL for a terminal"),
  github_pull_requests: z
    .array(
      z.object({
        id: z.int().describe("The pull request's id"),
        title: z.string().nullable().describe("The pull request's title"),
        url: z.string().nullable().describe("The pull request's page on the code host"),
        created_at: Instant.describe("When it was opened"),
        head_branch_name: z.string().nullable().describe("Branch that it asks to merge"),
      }),
    )
    .describe("Pull requests that the run opened; always a list"),
  metadata: JsonObject.describe("The `metadata` of POST run; an empty object where none was given"),
  prompt: z.string().describe("The prompt of the first turn"),
  repo_id: z.int().nullable().describe("Repository that the run works in; null for an empty one of its own"),
  repo_full_name: z.string().nullable().describe("That repository's name, owner included, or null"),
  base_branch: z
    .string()
    .nullable()
    .describe("Branch that the work starts from; null before the run has begun, unless it was named"),
  branch: z.string().nullable().describe("Where the work is kept in the repository's mirror"),
  agent: z.string().describe("Agent that works, one of GET agents"),
  model: z.string().nullable().describe("Model that was named; null where the agent chooses"),
  permission_mode: PermissionMode.describe(
    "How requests for permission are answered: allow each (auto), refuse what writes (read-only), ask a person (ask)",
  ),
  turn_timeout_s: z
    .int()
    .nullable()
    .describe("Seconds that each turn may take; null where only the service's limit holds"),
  started_at: Instant.nullable().describe("When the first turn began; null before"),
  finished_at: Instant.nullable().describe("When the last turn ended; null while the run is queued or live"),
  total_logs: z.int().describe("How many log entries there are: the highest seq"),
  tokens: Tokens.nullable().describe("Tokens that the agent reported, over all turns; null where it reports none"),
  cost_usd: z
    .number()
    .nullable()
    .describe("Cost in US dollars that the agent reported, over all turns; null where it reports none"),
  turns: z.int().describe("How many turns were asked for; withdrawn ones do not count"),
  queued_turns: z.int().describe("How many of them have not begun: waiting for their turn, or held (GET queue)"),
  user_id: z.int().nullable().describe("Id of the person who started the run, or null"),
  user_name: z.string().nullable().describe("Their name, or null"),
  question: Question.nullable().describe("The question that the run waits with; null unless its status is waiting"),
  changes: Changes.nullable().describe("Size of the run's changes at the end of its last turn; null before that"),
  banned_at: Instant.nullable().describe("Since when no event of its pull request wakes it (POST ban); null otherwise"),
});
export type Run = z.infer<typeof Run>;

/** The answer to a new run or turn: `webhooks` where it was given some. */
export const StartedRun = Run.extend({
  webhooks: z.array(RunWebhook).optional().describe("Webhooks that this run or turn was given"),
});
export type StartedRun = z.infer<typeof StartedRun>;

const imageBytesMax = 10 * 1024 * 1024;
const Image = z
  .string()
  .max(Math.ceil((imageBytesMax * 4) / 3) + 100, "must have at most 10 MB")
  .regex(
    /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    "must be a data URL of a PNG, JPEG, GIF or WebP image in base64",
  );

const Prompt = FilledText(promptCharactersMax);
const Model = FilledText(200);
/** Seconds that a turn may take: a minute to a week. */
export const TurnTimeout = z.int().min(60).max(604_800);
const Webhooks = WebhookOverrides.nullish().describe(
  "Webhooks of this run, in place of the organization's; of a later turn, in place of those that the run had. Null and an empty list change nothing",
);

/** What POST run takes. Only `prompt` is required; null stands for absent. */
export const CreateRun = z.object({
  prompt: Prompt.describe("The task, in words"),
  repo_id: z
    .int()
    .min(1)
    .nullish()
    .describe("Repository to work in, one of GET repos; an empty repository of the run's own where absent"),
  agent: FilledText(64)
    .nullish()
    .describe("Agent that works, one of GET agents; the default where absent, 400 where it is not ready"),
  agent_type: FilledText(64)
    .nullish()
    .describe(
      "A wish, in the reference service's words: claude_code is claude, codegen the default. Where that agent is not ready the default works, and the first entry of the log says why; `agent` is strict",
    ),
  model: Model.nullish().describe(
    "Model, in the agent's own words; where absent the organization's default for its default agent, else the agent's choice",
  ),
  images: z
    .array(Image)
    .max(10)
    .nullish()
    .describe("Images that belong to the prompt, as data URLs of at most 10 MB each"),
  metadata: JsonObject.refine(
    (value) => JSON.stringify(value).length <= 65_536,
    "must have at most 65536 characters as JSON",
  )
    .nullish()
    .describe("Anything of yours, given back with the run: at most 65,536 characters as JSON"),
  base_branch: z
    .string()
    .superRefine((name, context) => {
      const problem = branchNameProblem(name);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    })
    .nullish()
    .describe("Branch to start from; the repository's default branch where absent"),
  permission_mode: PermissionMode.nullish().describe(
    "How requests for permission are answered: allow each (auto), refuse what writes (read-only), ask a person (ask); the organization's default where absent, else auto",
  ),
  turn_timeout_s: TurnTimeout.nullish().describe(
    "Seconds that each turn may take, within the service's own limit; the organization's default where absent",
  ),
  webhooks: Webhooks,
});
export type CreateRun = z.infer<typeof CreateRun>;

/** What POST resume takes: one more turn of the same run. */
export const ResumeRun = z.object({
  agent_run_id: z.int().min(1).describe("The run that goes on"),
  prompt: Prompt.describe("The next task, in words"),
  images: z
    .array(Image)
    .max(10)
    .nullish()
    .describe("Images that belong to the prompt, as data URLs of at most 10 MB each"),
  model: Model.nullish().describe("Model for this turn; the run's where absent"),
  with_queue: z.boolean().nullish().describe("Run the held turns first. Without it they stay held"),
  webhooks: Webhooks,
});
export type ResumeRun = z.infer<typeof ResumeRun>;

/** Request body of `PATCH …/queue/{turn}`. What is not given stays as it is. */
export const EditTurn = z
  .object({
    prompt: Prompt.nullish().describe("The new prompt"),
    images: z.array(Image).max(10).nullish().describe("Replaces the turn's images; an empty list removes them"),
    model: Model.nullish().describe("The new model"),
    revision: z.int().min(0).nullish().describe("The revision that was read: 409 where the turn was edited since"),
  })
  .refine(
    ({ prompt, images, model }) => prompt != null || images != null || model != null,
    "must have at least one of prompt, images and model",
  );
export type EditTurn = z.infer<typeof EditTurn>;

/** What POST …/answer takes. */
export const AnswerQuestion = z.object({
  question_id: Text(200).describe("The id of the run's `question`"),
  option_id: Text(200).describe("The id of one of its options"),
});
export type AnswerQuestion = z.infer<typeof AnswerQuestion>;

import { z } from "zod";
import { attachmentBounds, promptCharactersMax } from "#lib/contract/bounds.ts";
import { McpServerNames, RunMcpServers } from "#lib/contract/integrations/mcp-server.ts";
import { RunWebhook, WebhookOverrides } from "#lib/contract/integrations/webhook.ts";
import { FilledText, Instant, JsonObject } from "#lib/contract/text.ts";
import { deliveries, permissionModes } from "#lib/contract/words.ts";
import { Attachments } from "./attachment.ts";
import { Changes } from "./changes.ts";
import { Isolation } from "./isolation.ts";
import { BranchName, PullRequest } from "./pull-request.ts";
import { LastPush } from "./push.ts";
import { OpenQuestion } from "./question.ts";
import { failureStatuses, runStatuses } from "./run-status.ts";

export const PermissionMode = z.enum(permissionModes);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Origin of a run, in the reference service's words. API for a token, CHAT for the dashboard, LOCAL for the command line. */
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

/** Tokens reported by the agent, over all turns. */
export const Tokens = z.object({
  input: z.int().describe("Tokens read, including cached ones").meta({ example: 1200 }),
  output: z.int().describe("Tokens written, including thoughts").meta({ example: 300 }),
  total: z.int().describe("Input and output together").meta({ example: 1500 }),
});
z.globalRegistry.add(Tokens, { id: "TokenUsage" });
export type Tokens = z.infer<typeof Tokens>;

/** One piece of work by one agent. */
export const Run = z.object({
  id: z.int().describe("The run's id, unique across the installation"),
  organization_id: z.int().describe("The organization the run belongs to"),
  status: z.string().describe(`${runStatuses.join(", ")}, or the reference service's words`),
  created_at: Instant.describe("When the run was created"),
  web_url: z.string().describe("The run's page on the dashboard"),
  result: z
    .string()
    .nullable()
    .describe("The answer of the last turn that ended with one, including while a later turn runs or after it failed"),
  summary: z.string().nullable().describe("The first line of the result, or null"),
  result_turn: z
    .int()
    .nullable()
    .describe(
      "The number of the turn that gave result and summary, or null. They answer the latest message only if it is latest_turn",
    ),
  source_type: SourceType.describe("Origin of the run: API for a token, CHAT for the dashboard, LOCAL for a terminal"),
  github_pull_requests: z
    .array(
      z.object({
        id: z.int().describe("The pull request's id"),
        title: z.string().nullable().describe("The pull request's title"),
        url: z.string().nullable().describe("The pull request's page on the code host"),
        created_at: Instant.describe("When it was opened"),
        head_branch_name: z.string().nullable().describe("The branch it asks to merge"),
      }),
    )
    .describe("Pull requests opened by the run; always a list"),
  pull_request: PullRequest.nullable()
    .describe("The run's pull request and its checks; null if none was requested, by a person or by the settings")
    .meta({ example: null }),
  metadata: JsonObject.describe("The `metadata` of POST run; an empty object if none was given"),
  prompt: z.string().describe("The prompt of the first turn").meta({ example: "Fix the failing test" }),
  repo_id: z.int().nullable().describe("Repository the run works in; null for an empty one of its own"),
  repo_full_name: z.string().nullable().describe("That repository's name with its owner, or null"),
  base_branch: z
    .string()
    .nullable()
    .describe("Branch the work starts from; null until the run has started, unless it was given"),
  branch: z.string().nullable().describe("Branch of the repository's mirror that has the run's commits"),
  agent: z.string().describe("The agent, one of GET agents").meta({ example: "claude" }),
  model: z.string().nullable().describe("Model; null if the agent chooses"),
  permission_mode: PermissionMode.describe(
    "How permission requests are answered: allow each (auto), refuse writes (read-only), ask a person (ask)",
  ),
  mode: z
    .string()
    .nullable()
    .describe("The agent's own mode, as POST run or the organization's settings named it; null: Errand sets it"),
  turn_timeout_s: z.int().nullable().describe("Seconds each turn may take; null if only Errand's limit applies"),
  started_at: Instant.nullable().describe("When the first turn started; null before"),
  finished_at: Instant.nullable().describe("When the last turn ended; null while the run is queued or live"),
  work_ms: z
    .int()
    .nullable()
    .describe(
      "Milliseconds that its ended turns took, without the time between them; null before the first turn, and for an agent in another system",
    ),
  turn_started_at: Instant.nullable().describe("When the current turn started; null between turns"),
  total_logs: z.int().describe("Number of log entries: the highest seq").meta({ example: 42 }),
  tokens: Tokens.nullable().describe("Tokens the agent reported, over all turns; null if it reports none"),
  cost_usd: z
    .number()
    .nullable()
    .describe("Cost in US dollars the agent reported, over all turns; null if it reports none"),
  turns: z.int().describe("Number of turns; withdrawn ones do not count"),
  latest_turn: z.int().nullable().describe("The number of the latest turn that has started; null before the first"),
  failed_turns: z
    .int()
    .describe(`Number of turns that ended as ${failureStatuses.join(", ")}, even if a later turn completed`)
    .meta({ example: 0 }),
  queued_turns: z.int().describe("How many of them have not started: waiting, or held (GET queue)"),
  queue_position: z
    .int()
    .nullable()
    .describe(
      "Place among the organization's queued runs, in the order they start in, from 1; null unless it is queued",
    ),
  user_id: z.int().nullable().describe("Id of the person who started the run, or null"),
  user_name: z.string().nullable().describe("Their name, or null").meta({ example: "Grace Hopper" }),
  question: OpenQuestion.nullable().describe("The question the run is waiting on; null unless its status is waiting"),
  changes: Changes.nullable().describe(
    "Size of the run's own changes, without what it merged from its base branch, as measured at the end of a turn, at a push, and when commits of a pull request are checked; null before the first turn has ended",
  ),
  work_left_out: z
    .int()
    .describe(
      "How many files, commits and repositories its checkout has that its branch does not, after its last turn, whose log names them. Deleted with the run",
    ),
  pushed: LastPush.nullable().describe("The last `POST …/push` of its branch; null: nobody has pushed it"),
  isolation: Isolation.nullable().describe(
    "How the agent was isolated in the last turn: `wall`: it sees only its checkout, a home of its own and the system's programs; `leash`: it is not isolated, its processes are stopped when its turn ends; null before the first turn",
  ),
  steerable: z
    .boolean()
    .describe(
      "A message sent with `delivery: next_step` reaches the agent between two of its steps; false: it becomes the next turn",
    ),
  banned_at: Instant.nullable()
    .describe("When pull request events stopped resuming it (POST ban); null if they still do")
    .meta({ example: null }),
});
z.globalRegistry.add(Run, {
  id: "Run",
  example: {
    status: "completed",
    web_url: "https://errand.example.com/runs/1",
    result: "The test passes: the date was read in local time.",
    summary: "The test passes: the date was read in local time.",
    source_type: "API",
    github_pull_requests: [],
    metadata: { ticket: "SHOP-1" },
    repo_full_name: "acme/shop",
    base_branch: "main",
    branch: "errand/run-1",
    turn_timeout_s: null,
    started_at: "2026-01-31T09:00:01.000Z",
    finished_at: "2026-01-31T09:04:30.000Z",
    work_ms: 269_000,
    cost_usd: 0.12,
    queued_turns: 0,
    queue_position: null,
    question: null,
    work_left_out: 0,
    steerable: false,
  },
});
export type Run = z.infer<typeof Run>;

/** Response to a new run or turn: `webhooks` if it was given some. */
export const StartedRun = Run.extend({
  webhooks: z.array(RunWebhook).optional().describe("Webhooks of this run or turn"),
});
const queued = { status: "queued", result: null, summary: null, result_turn: null, total_logs: 0, queue_position: 1 };
const notBegun = { branch: null, started_at: null, finished_at: null, work_ms: null, latest_turn: null, changes: null };
const example = { ...Object(Run.meta()?.example), ...queued, ...notBegun, cost_usd: null, tokens: null };
z.globalRegistry.add(StartedRun, { id: "StartedRun", example });
export type StartedRun = z.infer<typeof StartedRun>;

const imageBytesMax = 10 * 1024 * 1024;
const Image = z
  .string()
  .max(Math.ceil((imageBytesMax * 4) / 3) + 100, "must have at most 10 MB")
  .regex(
    /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    "must be a data URL of a PNG, JPEG, GIF or WebP image in base64",
  );

const { filesMax, totalBytesMax } = attachmentBounds;
const attachmentsWords = `Text files for the agent, kept with the message: at most ${filesMax}, ${totalBytesMax.toLocaleString("en-US")} bytes in UTF-8 together`;

const Prompt = FilledText(promptCharactersMax);
const Model = FilledText(200);
/** Seconds that a turn may take: a minute to a week. */
export const TurnTimeout = z.int().min(60).max(604_800);
const Webhooks = WebhookOverrides.nullish().describe(
  "Webhooks of this run, instead of the organization's; for a later turn, instead of the run's. Null and an empty list change nothing",
);

/** Request body of POST run. Only `prompt` is required; null stands for absent. */
export const CreateRun = z.object({
  prompt: Prompt.describe("The task, in words").meta({ example: "Fix the failing test" }),
  repo_id: z
    .int()
    .min(1)
    .nullish()
    .describe("Repository to work in, one of GET repos; by default a new, empty one")
    .meta({ example: 1 }),
  agent: FilledText(64)
    .nullish()
    .describe("The agent, one of GET agents; the default if absent, 400 if it is not ready"),
  agent_type: FilledText(64)
    .nullish()
    .describe(
      "A preference, in the reference service's words: claude_code means claude, codegen the default. If that agent is not ready, the default agent is used, and the first entry of the log says why; `agent` is strict",
    ),
  model: Model.nullish().describe(
    "Model, as the agent names it; by default the organization's for this agent, or else the agent's choice",
  ),
  images: z.array(Image).max(10).nullish().describe("Images of the prompt, as data URLs of at most 10 MB each"),
  attachments: Attachments.nullish().describe(attachmentsWords),
  metadata: JsonObject.refine(
    (value) => JSON.stringify(value).length <= 65_536,
    "must have at most 65536 characters as JSON",
  )
    .nullish()
    .describe(
      "Any data of yours, returned with the run: at most 65,536 characters as JSON. Numbers keep the digits with which they were sent",
    ),
  base_branch: BranchName.nullish().describe("Branch to start from; by default the repository's default branch"),
  permission_mode: PermissionMode.nullish().describe(
    "How permission requests are answered: allow each (auto), refuse writes (read-only), ask a person (ask); by default the organization's setting, or else auto",
  ),
  mode: FilledText(200)
    .nullish()
    .describe(
      "The agent's own mode, the id of one of `announced.modes` of GET agents. By default the organization's for this agent. Only with permission mode auto: the others choose the mode that they need",
    ),
  mcp_server_names: McpServerNames.nullish().describe(
    "Names of the organization's MCP servers that the agent is given. By default all servers that its repository may use; none if the list is empty",
  ),
  mcp_servers: RunMcpServers.nullish().describe("MCP servers for this run alone, besides those of the organization"),
  turn_timeout_s: TurnTimeout.nullish().describe(
    "Seconds each turn may take, within Errand's own limit; by default the organization's setting",
  ),
  webhooks: Webhooks,
});
z.globalRegistry.add(CreateRun, { id: "CreateRun" });
export type CreateRun = z.infer<typeof CreateRun>;

/** Request body of POST resume: one more turn of the same run. */
export const ResumeRun = z.object({
  agent_run_id: z.int().min(1).describe("The run to continue"),
  prompt: Prompt.describe("The next task, in words").meta({ example: "Now write a test for it" }),
  images: z.array(Image).max(10).nullish().describe("Images of the prompt, as data URLs of at most 10 MB each"),
  attachments: Attachments.nullish().describe(attachmentsWords),
  model: Model.nullish().describe("Model for this turn; by default the run's"),
  mcp_servers: RunMcpServers.nullish().describe(
    "Replaces the run's own MCP servers from its next turn on, for example with a new token; an empty list removes them",
  ),
  with_queue: z.boolean().nullish().describe("Run the held turns first; otherwise they stay held"),
  delivery: z
    .enum(deliveries)
    .nullish()
    .describe(
      "next_turn (the default): the message is a turn of its own, after those before it. next_step: if the agent is working and can take it (`steerable`), the message reaches the agent between two steps of the current turn; otherwise, or if that turn ends first, it becomes a turn of its own",
    ),
  webhooks: Webhooks,
});
z.globalRegistry.add(ResumeRun, { id: "ResumeRun" });
export type ResumeRun = z.infer<typeof ResumeRun>;

/** Request body of `PATCH …/queue/{turn}`. Absent fields stay as they are, and those that are null, except `model`. */
export const EditTurn = z
  .object({
    prompt: Prompt.nullish().describe("The new prompt").meta({ example: "Now write two tests for it" }),
    images: z.array(Image).max(10).nullish().describe("Replaces the turn's images; an empty list removes them"),
    attachments: Attachments.nullish().describe("Replaces the turn's text files; an empty list removes them"),
    model: Model.nullish().describe("The new model; null: the run's"),
    revision: z.int().min(0).nullish().describe("The revision you read: 409 if the turn was edited since"),
  })
  .refine(
    ({ prompt, images, attachments, model }) =>
      prompt != null || images != null || attachments != null || model !== undefined,
    "must have at least one of prompt, images, attachments and model",
  );
z.globalRegistry.add(EditTurn, { id: "EditTurn" });
export type EditTurn = z.infer<typeof EditTurn>;

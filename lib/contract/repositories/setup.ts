import { z } from "zod";
import { setupBounds } from "#lib/contract/bounds.ts";
import { PreparedCheckout } from "#lib/contract/runs/prepared-checkout.ts";
import { FilledText, Instant, Text } from "#lib/contract/text.ts";
import { Confidence, Evidence, SetupKind } from "./setup-command.ts";

/**
 * State of a repository's setup: none accepted; a proposal to decide on; accepted and, as far as it was used, working; a run is
 * keeping its prepared checkout; all prepared checkouts are outdated; or the last generate or use failed.
 */
export const SetupStatus = z.enum(["none", "proposed", "ready", "building", "stale", "failed"]);
export type SetupStatus = z.infer<typeof SetupStatus>;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** One shell command, possibly of several lines. */
export const CommandText = Text(setupBounds.commandBytesMax)
  .refine((text) => text.trim() !== "", "must not be empty")
  .refine((text) => bytesOf(text) <= setupBounds.commandBytesMax, "must have at most 8 KB")
  .overwrite((text) => text.trim());

/** Components of a path: empty ones and `.` mean nothing. */
const namesOf = (path: string) => path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");

/** A file of the repository: a path below its top. */
export const InputPath = Text(1024)
  .refine((path) => path.trim() !== "", "must not be empty")
  .refine((path) => namesOf(path).length > 0, "must name a file below the top of the repository")
  .refine(
    (path) => !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes(".."),
    "must be a path inside the repository, without a leading / and without ..",
  )
  .refine((path) => !namesOf(path).some((name) => name.toLowerCase() === ".git"), "must not be inside .git");

/** The name of a variable whose value is kept as a key. */
const VariableName = z
  .string()
  .max(128, "must have at most 128 characters")
  .regex(
    /^[A-Z][A-Z0-9_]*$/,
    "must be the name of an environment variable: capital letters, digits and _, starting with a letter",
  );

const commandList = () => z.array(CommandText).max(setupBounds.commandsMax).default([]);

const checkWords =
  "Shown to agents. Errand can also run them before or after a push: see `local_checks` of PUT pull-settings";

const setupFields = {
  install: commandList()
    .describe("Runs before an agent's first turn")
    .meta({ example: ["npm ci"] }),
  build: commandList()
    .describe("Runs after install, before the first turn")
    .meta({ example: ["npm run build"] }),
  test: commandList()
    .describe(checkWords)
    .meta({ example: ["npm test"] }),
  lint: commandList().describe(checkWords),
  maintenance: commandList().describe("Runs before each later turn"),
  inputs: z
    .array(InputPath)
    .max(setupBounds.inputsMax)
    .default([])
    .describe("Files the setup depends on, such as lockfiles")
    .meta({ example: ["package-lock.json"] }),
  env: z
    .array(VariableName)
    .max(setupBounds.variablesMax)
    .default([])
    .describe(
      "Variables for the commands. Their values are the keys stored for the repository or the organization (`PUT keys`). Agents do not get them. Only an admin can add one",
    ),
  network: z
    .array(
      z.object({
        host: FilledText(255).describe(
          "A host name, `*.` and a host name for all hosts below it, or a public IP address",
        ),
        port: z.int().min(1).max(65_535).nullable().default(null).describe("Null or absent: 80 and 443"),
      }),
    )
    .max(setupBounds.hostsMax)
    .default([])
    .describe(
      "Hosts that the commands may reach behind the wall, in addition to the package registries, the hosts of the repositories and those allowed for every run. Only an admin can add one",
    ),
  required: z
    .boolean()
    .default(false)
    .describe("A failing command ends the run instead of being reported to the agent"),
  timeout_s: z
    .int()
    .min(1)
    .max(setupBounds.timeoutSecondsMax)
    .default(setupBounds.timeoutSecondsDefault)
    .describe("Seconds each command may take"),
};

/** Names every unknown field. */
const unknownFields = (issue: z.core.$ZodRawIssue) =>
  issue.code === "unrecognized_keys" ? `has unknown fields: ${issue.keys.join(", ")}` : undefined;

/** Commands and settings of a setup. */
export const SetupCommands = z.object(setupFields);
export type SetupCommands = z.infer<typeof SetupCommands>;

/** Request body of `PUT setup`. */
export const AcceptSetup = z
  .strictObject(
    {
      ...setupFields,
      version: z
        .int()
        .min(0)
        .nullish()
        .describe("The version this edit is based on, as If-Match, but 409 if it is outdated"),
    },
    { error: unknownFields },
  )
  .superRefine((setup, context) => {
    let count = 0;
    for (const kind of SetupKind.options) {
      count += setup[kind].length;
      if (count <= setupBounds.commandsMax) continue;
      const message = `all lists together must have at most ${setupBounds.commandsMax} commands`;
      context.addIssue({ code: "custom", path: [kind], message });
      return;
    }
  });
export type AcceptSetup = z.infer<typeof AcceptSetup>;

/** Result of trying a proposed command. */
export const TriedOutcome = z.enum(["worked", "failed", "not_tried"]);
export type TriedOutcome = z.infer<typeof TriedOutcome>;

/** A command of a proposal. Its text comes from the repository or from an agent: untrusted until somebody accepts it. */
export const ProposedCommand = z.object({
  kind: SetupKind.describe("When it would run"),
  command: z.string().describe("The command, untrusted until it is accepted"),
  outcome: TriedOutcome.describe("Outcome of trying it"),
  exit_code: z.int().nullable().describe("Its exit code; null if it was not tried, or was killed"),
  duration_ms: z.number().nullable().describe("How long it took in milliseconds; null if it was not tried"),
  note: z.string().nullable().describe("Why it failed or was not tried"),
  confidence: Confidence.nullable().describe(
    "How sure the detection is: stated by a file, usual for the ecosystem, guessed from names; null if an agent proposed it",
  ),
  evidence: z.array(Evidence).describe("Lines of the repository that support it"),
});
z.globalRegistry.add(ProposedCommand, { example: { command: "npm ci", exit_code: 0, duration_ms: 5200 } });
export type ProposedCommand = z.infer<typeof ProposedCommand>;

/** Proposal of a generate run. */
export const Proposal = z.object({
  commit: z
    .string()
    .nullable()
    .describe("The commit the evidence is from")
    .meta({ example: "9fceb02d0ae598e95dc970b74767f19372d61af8" }),
  commands: z.array(ProposedCommand).describe("The commands, in the order they would run in"),
  inputs: z
    .array(z.string())
    .describe("Files the commands depend on")
    .meta({ example: ["package-lock.json"] }),
  left_out: z
    .array(z.string())
    .default([])
    .describe("What was found but cannot be proposed, or was not read, and why: one sentence each")
    .meta({ example: [] }),
});
export type Proposal = z.infer<typeof Proposal>;

/** Setup of a repository: the accepted one, the result of its last use, and the last proposal. */
export const Setup = z.object({
  repo_id: z.int().describe("The repository"),
  setup_status: SetupStatus.describe(
    "none: nothing accepted; proposed: a proposal to decide on; ready: accepted; building: a run is saving what its setup made, for later runs; stale: what was saved is outdated, so the next run runs the commands; failed: the last trial or use failed",
  ).meta({ example: "ready" }),
  version: z.int().describe("Number of changes; 0 if nothing was ever accepted"),
  ...SetupCommands.shape,
  accepted_by: z.int().nullable().describe("Id of the person who accepted this version, or null"),
  accepted_by_name: z.string().nullable().describe("Their name, or null").meta({ example: "Grace Hopper" }),
  accepted_at: Instant.nullable().describe("Null if no setup is accepted"),
  last_use: z
    .object({
      agent_run_id: z.int().describe("The run"),
      worked: z.boolean().describe("Every command succeeded"),
      at: Instant.describe("When it was used"),
    })
    .nullable()
    .describe("The last use of this version by a run"),
  prepared: z.array(PreparedCheckout).describe("Setup caches for later runs, newest first"),
  generate: z
    .object({
      agent_run_id: z.int().describe("The run that looks for commands"),
      status: z.string().describe("Its status").meta({ example: "completed" }),
    })
    .nullable()
    .describe("The last generate run"),
  proposal: Proposal.extend({
    agent_run_id: z.int().describe("The run that made it"),
    created_at: Instant.describe("When it was made"),
    open: z.boolean().describe("Whether it is still open: neither accepted nor discarded").meta({ example: false }),
  })
    .nullable()
    .describe("The last proposal, or null"),
});
z.globalRegistry.add(Setup, {
  example: {
    lint: ["npm run lint"],
    maintenance: [],
    env: ["NPM_TOKEN"],
    network: [{ host: "npm.example.com", port: null }],
    required: false,
    timeout_s: 600,
  },
});
export type Setup = z.infer<typeof Setup>;

/** Request body of `POST setup-commands/generate`. */
export const GenerateSetup = z.strictObject(
  {
    repo_id: z.int().min(1).describe("The repository"),
    prompt: FilledText(setupBounds.promptBytesMax)
      .refine((text) => bytesOf(text) <= setupBounds.promptBytesMax, "must have at most 16 KB")
      .nullish()
      .describe("What to look for; only for a named agent"),
    agent: FilledText(64).nullish().describe("By default the built-in detection, which needs no model"),
    trigger_source: FilledText(100)
      .default("setup-commands")
      .describe("Origin of the request, in the client's words; stored in the run's `metadata`"),
  },
  { error: unknownFields },
);
export type GenerateSetup = z.infer<typeof GenerateSetup>;

import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { FilledText, Instant } from "#lib/contract/text.ts";
import { agentStates, signInStates } from "#lib/contract/words.ts";
import { Isolation } from "./isolation.ts";

const Choice = z.object({
  id: z.string().describe("What the agent calls it"),
  name: z.string().describe("Display name"),
  description: z.string().nullable().describe("What the agent says about it, or null"),
});

/** An agent's announcements when it opened a session: what can be chosen and requested there. Texts and lists are cut. */
export const Announced = z.object({
  models: z
    .array(Choice)
    .describe("Models to choose from, for `model` of POST run")
    .meta({ example: [{ id: "opus", name: "Opus", description: "For complex tasks" }] }),
  modes: z
    .array(Choice)
    .describe("Modes that a session can be in")
    .meta({ example: [{ id: "default", name: "Manual", description: "Asks before it changes anything" }] }),
  options: z
    .array(Choice.extend({ values: z.array(Choice).describe("Possible values") }))
    .describe("Other settings of a session, such as the effort")
    .meta({
      example: [
        { id: "effort", name: "Effort", description: null, values: [{ id: "high", name: "High", description: null }] },
      ],
    }),
  commands: z
    .array(
      z.object({
        name: z.string().describe("Its name: a prompt that begins with `/name` calls it"),
        description: z.string().describe("What it does"),
        hint: z.string().nullable().describe("What may follow its name, or null"),
      }),
    )
    .describe("Commands that a prompt can begin with")
    .meta({ example: [{ name: "review", description: "Reviews the changes", hint: null }] }),
  images: z.boolean().describe("Whether a prompt can have images"),
  embedded_context: z.boolean().describe("Whether a prompt can include the text of files"),
  mcp_http: z.boolean().describe("Whether it takes MCP servers over HTTP"),
  resumes: z.boolean().describe("Whether it can continue a session in a later turn"),
  forks: z.boolean().describe("Whether it can start a session as a copy of another"),
  steering: z.boolean().describe("Whether a message can reach it while it works"),
});
export type Announced = z.infer<typeof Announced>;

/** Whether an agent is signed in to its model's service, as far as known without asking the model. */
export const SignIn = z.object({
  state: z
    .enum(signInStates)
    .describe(
      "`signed_in`; `needed`: its runs would fail; `unknown`: it does not say; `not_used`: it has no model, so it needs none",
    ),
  detail: z
    .string()
    .nullable()
    .describe("What it said about its sign-in, or which key it uses; null if it said nothing")
    .meta({ example: "Uses the organization's ANTHROPIC_API_KEY" }),
  hint: z.string().nullable().describe("How to sign in to it; null if nothing needs to be done"),
});
export type SignIn = z.infer<typeof SignIn>;

/** A way to sign in to an agent that it carries out itself. */
const SignInMethod = z.object({
  id: z.string().describe("For `method` of POST sign-in"),
  name: z.string().describe("Display name"),
  description: z.string().nullable().describe("What the agent says about it, or null"),
});
export type SignInMethod = z.infer<typeof SignInMethod>;

/** A sign-in that somebody asked for. */
export const SignInAttempt = z.object({
  method: z.string().describe("The method").meta({ example: "account" }),
  state: z
    .enum(["waiting", "running", "signed_in", "failed"])
    .describe("`waiting` until the engine takes it, which takes a second"),
  error: z.string().nullable().describe("Why it failed, in the agent's words; null otherwise"),
  asked_at: Instant.describe("When it was asked for"),
});
export type SignInAttempt = z.infer<typeof SignInAttempt>;

/** An agent that runs can name, as the engine last found it. */
export const Agent = z.object({
  id: z.string().describe("ID of the agent, for `agent` of POST run").meta({ example: "claude" }),
  title: z.string().describe("Display name").meta({ example: "Claude Code" }),
  command: z.string().describe("The program that Errand starts, as configured").meta({ example: "claude-agent-acp" }),
  install: z.string().nullable().describe("The command that installs its newest version; null if none is known"),
  state: z
    .enum(agentStates)
    .describe(
      "`ready`; `slow`: it did not answer in time, but runs may try it; `needs_sign_in` and `too_old`: runs may try it and will probably fail; `not_working` and `not_installed`: runs that name it are refused",
    ),
  ready: z.boolean().describe("Whether runs can name it: false if it is not installed or does not work"),
  reason: z.string().nullable().describe("Why its state is not `ready` and how to fix that; null if it is"),
  version: z.string().nullable().describe("Version that it reported; null if it has reported none"),
  oldest_version: z.string().nullable().describe("The oldest version that is known to work with Errand, or null"),
  sign_in: SignIn.describe("Whether it is signed in"),
  sign_in_methods: z
    .array(SignInMethod)
    .describe(
      "Ways to sign in that POST sign-in can start: those that need neither a terminal nor a key. Empty in organizations other than Errand's first, because all share an agent's sign-in",
    ),
  announced: Announced.nullable().describe("What it announced when it last opened a session; null if it has not yet"),
  has_model: z.boolean().describe("False for the built-in agent, which runs the steps of the prompt"),
  models: z.array(z.string()).describe("Known names of its models; others are accepted too"),
  keys: z.array(z.string()).describe("Variables of the keys that Errand can store for it, for `variable` of PUT keys"),
  environment: z
    .array(z.string())
    .describe(
      "Names of the variables that Errand passes to it or sets for it, never their values. Stored keys are added; behind the wall, the variables of its home and its network are replaced",
    ),
  isolation: Isolation.describe(
    "How its runs are isolated: `wall` or `leash`, see `isolation` of a run. Always `wall` in an organization that requires it",
  ),
  isolation_reason: z.string().nullable().describe("Why its runs are on the leash; null behind the wall"),
  wall_problem: z
    .string()
    .nullable()
    .describe("Why its runs could not start behind the wall if that were required; null if they could"),
  is_default: z.boolean().describe("Used for runs that name no agent"),
  checked_at: Instant.describe("When the engine last checked whether it is ready"),
});
export type Agent = z.infer<typeof Agent>;

/** An agent as it is for one organization, which may have its own keys. */
export const OrganizationAgent = Agent.extend({
  sign_in_attempt: SignInAttempt.nullable().describe("The last sign-in that this organization asked for; null: none"),
  default_model: z
    .string()
    .nullable()
    .describe("The organization's model for runs of it that name none; null: the agent chooses"),
  default_mode: z
    .string()
    .nullable()
    .describe("The organization's mode for runs of it that name none; null: Errand sets it"),
  refused_at: Instant.nullable().describe(
    "When a run here first failed because the agent is not signed in; null: none has, or one has worked or a key was saved since",
  ),
});
z.globalRegistry.add(OrganizationAgent, {
  id: "Agent",
  example: {
    install: "npm install -g @anthropic-ai/claude-code @agentclientprotocol/claude-agent-acp",
    version: "0.101.0",
    oldest_version: "0.100.0",
    sign_in_methods: [{ id: "account", name: "Sign in with your account", description: null }],
    models: ["opus", "sonnet"],
    keys: ["ANTHROPIC_API_KEY"],
    environment: ["ANTHROPIC_BASE_URL", "HOME", "PATH"],
    sign_in_attempt: null,
    default_model: "opus",
    default_mode: "plan",
    refused_at: null,
  },
});
export type OrganizationAgent = z.infer<typeof OrganizationAgent>;

export const listAgents = defineOperation({
  id: "listAgents",
  summary: "List the agents, ready ones first",
  scope: "runs:read",
  params: OrgParams,
  result: z.object({
    items: z.array(OrganizationAgent).describe("All agents, ready ones first"),
    file_problem: z
      .string()
      .nullable()
      .describe("Why `agents.json` is not used, so that its last valid version applies; null if it is used"),
  }),
});

/** Request body of `POST sign-in`. */
export const SignInToAgent = z.object({ method: FilledText(200).describe("One of the agent's `sign_in_methods`") });
z.globalRegistry.add(SignInToAgent, { example: { method: "oauth-personal" } });
export type SignInToAgent = z.infer<typeof SignInToAgent>;

export const signInToAgent = defineOperation({
  id: "signInToAgent",
  summary: "Sign in to an agent by one of its own methods",
  description:
    "The agent signs in on the machine that runs Errand, as the user Errand runs as, and so for the runs of all organizations that have no key of their own: only Errand's first organization may ask. It has 3 minutes. `sign_in_attempt` of GET agents says how it went. 404 for an agent that is not listed, 400 for a method that it does not have, 409 for any other organization, and while another sign-in to the agent is in progress.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: OrgParams.extend({ agent_id: FilledText(64).describe("The agent") }),
  body: SignInToAgent,
  result: SignInAttempt,
});

import { z } from "zod";
import type { AgentProfile } from "#lib/agents/agent.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";
import { cutText } from "#lib/cut-text.ts";
import { lenient } from "./message.ts";
import type { AgentHandshake } from "./session.ts";
import { configOptions, modeChoices, modelChoices, type OpenedSession } from "./session-choice.ts";
import { storableText } from "./storable.ts";

/** Most items kept of a list, and most characters of a name and of a description. */
const itemsMax = 200;
const nameMax = 200;
const descriptionMax = 500;

const Commands = z.looseObject({
  update: z.looseObject({
    sessionUpdate: z.literal("available_commands_update"),
    availableCommands: z.array(z.unknown()),
  }),
});
const Command = z.looseObject({
  name: z.string().min(1),
  description: z.string().catch(""),
  input: lenient(z.looseObject({ hint: z.string().catch("") })),
});

type Described = { id: string; name: string; description?: string | null };

/** The commands in the params of a `session/update`; null if it has none. Malformed ones are left out. */
export function commandsOf(params: unknown): Announced["commands"] | null {
  const parsed = Commands.safeParse(params).data;
  if (parsed === undefined) return null;
  return parsed.update.availableCommands
    .slice(0, itemsMax)
    .flatMap((one) => Command.safeParse(one).data ?? [])
    .map(({ name, description, input }) => ({
      name: cut(name, nameMax),
      description: cut(description, descriptionMax),
      hint: input?.hint ? cut(input.hint, nameMax) : null,
    }));
}

/** The agent's announcements at the handshake and on opening a session, within bounds. */
export function announcedOf(
  agent: AgentHandshake,
  opened: OpenedSession,
  commands: Announced["commands"],
  { steering }: Pick<AgentProfile, "steering">,
): Announced {
  const capabilities = agent.agentCapabilities;
  const prompts = capabilities?.promptCapabilities;
  const sessions = capabilities?.sessionCapabilities;
  const chosenElsewhere = new Set(["model", "mode"]);
  return {
    models: described(modelChoices(opened)[0]?.available ?? []),
    modes: described(modeChoices(opened)[0]?.available ?? []),
    options: configOptions(opened)
      .filter(({ category }) => !chosenElsewhere.has(category))
      .slice(0, itemsMax)
      .map((option) => ({ ...describe(option), values: described(option.available) })),
    commands,
    images: prompts?.image === true,
    embedded_context: prompts?.embeddedContext === true,
    mcp_http: capabilities?.mcpCapabilities?.http === true,
    resumes: sessions?.resume != null || capabilities?.loadSession === true,
    forks: sessions?.fork != null,
    steering: agent._meta?.steering?.supported === true || steering !== null,
  };
}

function described(items: Described[]) {
  return items.slice(0, itemsMax).map(describe);
}

function describe({ id, name, description }: Described) {
  return {
    id: cut(id, nameMax),
    name: cut(name, nameMax) || cut(id, nameMax),
    description: description ? cut(description, descriptionMax) : null,
  };
}

function cut(text: string, charactersMax: number): string {
  return storableText(cutText(text, charactersMax, "…"));
}

/** True for a prompt that begins with one of the agent's commands, like `/review the last commit`. */
export function callsCommand(prompt: string, commands: Announced["commands"]): boolean {
  const words = /^\/(\S+)(?: (\S+))?/.exec(prompt);
  if (words === null) return false;
  const [, first, second] = words;
  // gemini has some commands of two words: `memory show`.
  return commands.some(({ name }) => name === first || name === `${first} ${second}`);
}

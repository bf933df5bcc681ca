import { z } from "zod";
import type { AgentConnection } from "./connection.ts";
import { lenient } from "./message.ts";

const description = lenient(z.string());
const Option = z.looseObject({ value: z.string(), name: z.string().catch(""), description });
const Group = z.looseObject({ options: z.array(Option) });
const Config = z.looseObject({
  id: z.string(),
  name: z.string().catch(""),
  description,
  category: lenient(z.string()),
  currentValue: z.unknown().optional(),
  options: lenient(z.array(z.union([Option, Group]))),
});

/** An agent's answer when it opens a session: the id of a new one, and the options. */
export const OpenedSession = z.looseObject({
  sessionId: z.string().optional().catch(undefined),
  modes: lenient(
    z.looseObject({
      currentModeId: z.string().catch(""),
      availableModes: z.array(z.looseObject({ id: z.string(), name: z.string().catch(""), description })),
    }),
  ),
  models: lenient(
    z.looseObject({
      currentModelId: lenient(z.string()),
      availableModels: z.array(z.looseObject({ modelId: z.string(), name: z.string().catch(""), description })),
    }),
  ),
  configOptions: lenient(z.array(z.unknown())),
});
export type OpenedSession = z.infer<typeof OpenedSession>;

/** An option of a session, in whichever of the protocol's ways the agent offers it. */
export type Choice = {
  current: string | null;
  /** Its values: the id for the agent and the name that a person may use. */
  available: { id: string; name: string; description?: string | null | undefined }[];
  set(connection: AgentConnection, sessionId: string, id: string): Promise<void>;
};

/** The ways to choose the model, the protocol's current way first; empty if the agent offers none. */
export function modelChoices(opened: OpenedSession): Choice[] {
  const { models } = opened;
  const choices = configChoices(opened, "model");
  if (models == null) return choices;
  const legacy: Choice = {
    current: models.currentModelId ?? null,
    available: models.availableModels.map(({ modelId, ...rest }) => ({ ...rest, id: modelId })),
    set: async (connection, sessionId, modelId) => {
      await connection.request("session/set_model", { sessionId, modelId });
    },
  };
  return [...choices, legacy];
}

const ModeUpdate = z.looseObject({
  update: z.discriminatedUnion("sessionUpdate", [
    z.looseObject({ sessionUpdate: z.literal("current_mode_update"), currentModeId: z.string() }),
    z.looseObject({ sessionUpdate: z.literal("config_option_update"), configOptions: z.array(z.unknown()) }),
  ]),
});

/** The mode named in the params of a `session/update`; null if none is. */
export function reportedMode(params: unknown): string | null {
  const update = ModeUpdate.safeParse(params).data?.update;
  if (update === undefined) return null;
  if (update.sessionUpdate === "current_mode_update") return update.currentModeId;
  return modeChoices({ configOptions: update.configOptions })[0]?.current ?? null;
}

/** The settings of the session in the params of a `session/update`, all of them; null if it reports none. */
export function reportedOptions(params: unknown): unknown[] | null {
  const update = ModeUpdate.safeParse(params).data?.update;
  return update?.sessionUpdate === "config_option_update" ? update.configOptions : null;
}

/** The ways to choose the session's mode. */
export function modeChoices(opened: OpenedSession): Choice[] {
  const { modes } = opened;
  const choices = configChoices(opened, "mode");
  if (modes == null) return choices;
  const own: Choice = {
    current: modes.currentModeId,
    available: modes.availableModes,
    set: async (connection, sessionId, modeId) => {
      await connection.request("session/set_mode", { sessionId, modeId });
    },
  };
  return [own, ...choices];
}

/** The choice that has `wanted` as an id or, if none does, as a name, with that id; null if none has it. */
export function findChoice(choices: Choice[], wanted: string): { choice: Choice; id: string } | null {
  for (const match of [
    (item: { id: string }) => item.id === wanted,
    (item: { name: string }) => item.name === wanted,
  ]) {
    for (const choice of choices) {
      const item = choice.available.find(match);
      if (item !== undefined) return { choice, id: item.id };
    }
  }
  return null;
}

/** The settings that a session offers as `configOptions`, each with its purpose: its category, else its id. */
export function configOptions(opened: OpenedSession) {
  return (opened.configOptions ?? []).flatMap((raw) => {
    const config = Config.safeParse(raw).data;
    if (config?.options == null) return [];
    const { id, name, description, category, currentValue: current, options } = config;
    const available = options
      .flatMap((option) => Group.safeParse(option).data?.options ?? Option.safeParse(option).data ?? [])
      .map(({ value, ...rest }) => ({ ...rest, id: value }));
    return [{ id, name, description, category: category ?? id, current, available }];
  });
}

function configChoices(opened: OpenedSession, wanted: string): Choice[] {
  return configOptions(opened)
    .filter(({ category }) => category === wanted)
    .map(({ id, current, available }) => ({
      current: typeof current === "string" ? current : null,
      available,
      set: async (connection, sessionId, value) => {
        await connection.request("session/set_config_option", { sessionId, configId: id, value });
      },
    }));
}

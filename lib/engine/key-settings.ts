import type { JsonObject, KeyUse } from "#lib/agents/agent.ts";
import { AttemptError } from "./attempt-error.ts";

type Environment = Record<string, string>;

/** The address that an environment names for a key, in the agent's settings or in its variable. Throws if settings are not JSON. */
export function addressOf({ baseUrl, settings }: KeyUse, environment: Environment): string | undefined {
  const held = settings === undefined ? undefined : environment[settings.variable];
  if (settings === undefined || held === undefined) return environment[baseUrl];
  return findAddress(settings.json, readObject(held, settings.variable)) ?? environment[baseUrl];
}

/** The value in `held` at the position of `{address}` in `json`. */
function findAddress(json: JsonObject | string, held: unknown): string | undefined {
  if (json === "{address}") return typeof held === "string" ? held : undefined;
  if (typeof json === "string" || !isObject(held)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const found = findAddress(value, held[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function filled(json: JsonObject, address: string): JsonObject {
  const entries = Object.entries(json).map(([name, value]) => {
    return [name, typeof value === "string" ? value.replace("{address}", address) : filled(value, address)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The variable with the settings that tell an agent the address of a key, merged with its value in the environment; empty if the
 * key has no settings.
 */
export function settingsWith({ settings }: KeyUse, address: string, environment: Environment): Environment {
  if (settings === undefined) return {};
  const { variable, json } = settings;
  const held = environment[variable];
  const all = merged(held === undefined ? {} : readObject(held, variable), filled(json, address));
  return { [variable]: JSON.stringify(all) };
}

function merged(held: Record<string, unknown>, added: JsonObject): Record<string, unknown> {
  const entries = Object.entries(added).map(([name, value]) => {
    const own = held[name];
    return [name, typeof value === "string" ? value : merged(isObject(own) ? own : {}, value)] as const;
  });
  return { ...held, ...Object.fromEntries(entries) };
}

function readObject(text: string, variable: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Thrown below.
  }
  throw new AttemptError("settings_unreadable", `${variable} in Errand's environment is not a JSON object.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

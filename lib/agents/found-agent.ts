import type { Agent } from "#lib/contract/runs/agent.ts";
import { signInHint } from "./acp/sign-in-state.ts";
import type { AgentProfile, FoundAgent } from "./agent.ts";

/** An installed agent that has not been asked yet: assumed to be ready, so that a run which names it need not wait. */
export function unaskedAgent(profile: AgentProfile): FoundAgent {
  return {
    id: profile.id,
    title: profile.title,
    // Its arguments may contain what only the owner of the service should see.
    command: profile.command[0] ?? "",
    install: profile.install,
    state: "ready",
    ready: true,
    reason: null,
    version: null,
    oldest_version: profile.oldest,
    sign_in: profile.hasModel
      ? { state: "unknown", detail: null, hint: signInHint(profile) }
      : { state: "not_used", detail: null, hint: null },
    sign_in_methods: [],
    announced: null,
    has_model: profile.hasModel,
    models: profile.models,
    keys: profile.keys.map(({ variable }) => variable),
    checked_at: new Date().toISOString(),
  };
}

/** The agent with what it announced, which adds models to those of its profile. */
export function withAnnounced(found: FoundAgent, announced: FoundAgent["announced"]): FoundAgent {
  const offered = (announced?.models ?? []).map(({ id }) => id);
  return { ...found, announced, models: [...new Set([...found.models, ...offered])] };
}

/** An agent that has not announced its commands yet keeps those that it announced before. */
export function withEarlierCommands(found: FoundAgent, before: FoundAgent): FoundAgent {
  const commands = before.announced?.commands ?? [];
  if (found.announced === null || found.announced.commands.length > 0 || found.version !== before.version) return found;
  return { ...found, announced: { ...found.announced, commands } };
}

/** An agent that answered to an earlier engine, under the profile of today. */
export function answeredEarlier(profile: AgentProfile, answer: Agent): FoundAgent {
  const { state, ready, reason, version, sign_in, sign_in_methods, announced, checked_at } = answer;
  const checked = { ...unaskedAgent(profile), version, sign_in, sign_in_methods, checked_at };
  // What kept it from working may be over; it is asked again in a moment.
  return withAnnounced(ready ? { ...checked, state, reason } : checked, announced);
}

/** Error output and refusals may repeat a key. */
export function masked(found: FoundAgent, mask: (words: string) => string): FoundAgent {
  const of = (words: string | null) => (words === null ? null : mask(words));
  return { ...found, reason: of(found.reason), sign_in: { ...found.sign_in, detail: of(found.sign_in.detail) } };
}

/** Whether an agent has answered at least once, maybe long ago. */
export function hasAnswered({ version, announced }: Pick<Agent, "version" | "announced">): boolean {
  return version !== null || announced !== null;
}

/** Whether runs that name no agent may be given this one: it has answered, and nobody has to sign in first. */
export function isUsable(agent: Pick<Agent, "ready" | "version" | "announced" | "sign_in">): boolean {
  return agent.ready && hasAnswered(agent) && agent.sign_in.state !== "needed";
}

/** True if `version` is older than `oldest` by its numbers, like 0.9.3 than 0.10; false if either has none. */
export function isOlder(version: string, oldest: string): boolean {
  const numbers = (text: string) => /^v?(\d+(?:\.\d+)*)/.exec(text)?.[1]?.split(".").map(Number) ?? [];
  const [own, wanted] = [numbers(version), numbers(oldest)];
  const at = wanted.findIndex((number, index) => number !== (own[index] ?? 0));
  return own.length > 0 && at >= 0 && (own[at] ?? 0) < (wanted[at] ?? 0);
}

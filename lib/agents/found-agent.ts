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

/** True if `version` is older than `oldest` by its numbers, like 0.9.3 than 0.10; false if either has none. */
export function isOlder(version: string, oldest: string): boolean {
  const numbers = (text: string) => /^v?(\d+(?:\.\d+)*)/.exec(text)?.[1]?.split(".").map(Number) ?? [];
  const [own, wanted] = [numbers(version), numbers(oldest)];
  const at = wanted.findIndex((number, index) => number !== (own[index] ?? 0));
  return own.length > 0 && at >= 0 && (own[at] ?? 0) < (wanted[at] ?? 0);
}

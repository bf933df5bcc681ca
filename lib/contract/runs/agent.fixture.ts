import type { Agent } from "./agent.ts";

/** An agent with a model as an engine might list it: ready and on the leash unless specified. */
export function listedAgent(id: string, more: Partial<Agent> = {}): Agent {
  return {
    id,
    title: id,
    command: id,
    install: null,
    state: more.ready === false ? "not_working" : "ready",
    ready: true,
    reason: null,
    version: null,
    oldest_version: null,
    sign_in: { state: "unknown", detail: null, hint: null },
    sign_in_methods: [],
    announced: null,
    has_model: true,
    models: [],
    keys: [],
    environment: [],
    isolation: "leash",
    isolation_reason: null,
    wall_problem: null,
    is_default: false,
    checked_at: "2026-01-31T23:59:59.000Z",
    ...more,
  };
}

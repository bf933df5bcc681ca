import { instant, integer, json, machine, reference, table, text } from "./table.ts";

export const agents = {
  engines: table({ id: text(), machine_id: machine(), beat_at: instant() }).clusteredBy("id"),
  agents: table({ machine_id: machine(), position: integer(), agent: json() }).key("machine_id", "position"),
  /** Why the agents file is not used; no row: it is. */
  agents_file_status: table({ machine_id: machine(), problem: text() }).key("machine_id"),
  /** An engine's last finding; JSON as in lib/contract/runs/isolation.ts. */
  agent_isolation: table({ machine_id: machine(), found: json() }).key("machine_id"),
  /** Agents that runs of an organization found signed out. */
  agent_refusals: table({
    organization_id: reference("organizations"),
    agent_id: text(),
    since: instant(),
    words: text(),
    hint: text().orNull(),
  }).clusteredBy("organization_id", "agent_id"),
  /** The last request to sign in to each agent. */
  agent_sign_ins: table({
    machine_id: machine(),
    agent_id: text(),
    organization_id: reference("organizations"),
    method: text(),
    asked_at: instant(),
    state: text<"waiting" | "running" | "signed_in" | "failed">(),
    error: text().orNull(),
  }).clusteredBy("agent_id", "machine_id"),
  /** Commands that agents announced in runs. */
  agent_commands: table({
    organization_id: reference("organizations"),
    agent_id: text(),
    mark: text(),
    /** JSON as in lib/contract/runs/agent.ts. */
    commands: json(),
    told_at: instant(),
  }).clusteredBy("organization_id", "agent_id"),
};

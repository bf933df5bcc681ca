import { fieldsOf } from "#lib/contract/json-fields.ts";

/** Answer of one of several agents that a call waited for. */
export type AgentAnswer = {
  /** The agent's id, as the call names it. */
  agent: string;
  /** The tool's word for the agent's state: completed, errored, running … */
  state: string;
  /** Its answer in Markdown; empty if it has given none. */
  text: string;
};

/**
 * Answers of agents that a call waited for: `status` by agent, each a word or `{completed: text}` (codex's wait_agent). Empty
 * if a result has none.
 */
export function agentAnswersOf(toolOutput: unknown): AgentAnswer[] {
  const { status } = fieldsOf(toolOutput);
  return Object.entries(fieldsOf(status)).map(([agent, value]) => {
    if (typeof value === "string") return { agent, state: value, text: "" };
    const [state = "unknown", text] = Object.entries(fieldsOf(value))[0] ?? [];
    return { agent, state, text: typeof text === "string" ? text : "" };
  });
}

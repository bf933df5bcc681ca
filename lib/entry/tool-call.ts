/**
 * One call of a tool: its name, what it was given and what came of it. An entry of type ACTION is one; so is a tool in flight,
 * whose `tool_output` is null. All three may have any shape: they come from many agents.
 */
export type ToolCall = { tool_name: string | null; tool_input: unknown; tool_output: unknown };

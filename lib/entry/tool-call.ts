/**
 * One tool call: its name, input and output. An entry of type ACTION is one; so is a running tool, whose `tool_output` is null.
 * All three may have any shape, because they come from many agents.
 */
export type ToolCall = { tool_name: string | null; tool_input: unknown; tool_output: unknown };

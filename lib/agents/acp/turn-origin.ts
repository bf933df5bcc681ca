import type { AttachedFile } from "#lib/contract/runs/attachment.ts";

/** How a turn began: its number and how its session was opened (the `tool_input` of its USER_MESSAGE). */
export type TurnOrigin = {
  turn: number;
  /** resumed and loaded continue the agent's own session; seeded is a new one with a summary. */
  session: "new" | "continued" | "resumed" | "loaded" | "seeded";
  /** Names of the MCP servers that its session was opened with. */
  mcp_servers?: string[];
  images?: number;
  /** Its text files. */
  attachments?: AttachedFile[];
  /** Why the session could not be continued, if so. */
  notice?: string;
};

/** A person's message that reached the agent during a turn (the `tool_input` of its USER_MESSAGE); `message` is its number. */
export type MessageOrigin = { message: number; during_turn?: number } & Pick<
  TurnOrigin,
  "images" | "attachments" | "notice"
>;

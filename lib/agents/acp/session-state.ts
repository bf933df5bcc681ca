import { z } from "zod";
import { Tokens } from "#lib/contract/run.ts";

/** What an attempt leaves to the next one. The session's id is a secret: whoever has it can load the session. */
export const SessionState = z.object({
  agent: z.string(),
  agent_version: z.string().nullable(),
  session_id: z.string(),
  cwd: z.string(),
  model: z.string().nullable(),
  tokens: Tokens.nullable(),
  cost_usd: z.number().nullable(),
  /** What the agent told last of its session's cost. */
  session_cost_usd: z.number().nullable(),
});
export type SessionState = z.infer<typeof SessionState>;

import { z } from "zod";
import { Tokens } from "#lib/contract/runs/run.ts";

/** State that an attempt leaves to the next one. The session's id is a secret: anyone with it can load the session. */
export const SessionState = z.object({
  agent: z.string(),
  agent_version: z.string().nullable(),
  session_id: z.string(),
  cwd: z.string(),
  model: z.string().nullable(),
  tokens: Tokens.nullable(),
  cost_usd: z.number().nullable(),
  /** The last reported cost of the agent's session. */
  session_cost_usd: z.number().nullable(),
});
export type SessionState = z.infer<typeof SessionState>;

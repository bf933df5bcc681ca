import { signInCode } from "#lib/agents/acp/sign-in-error.ts";
import { signInHint } from "#lib/agents/acp/sign-in-state.ts";
import type { AgentProfile, TurnEnd } from "#lib/agents/agent.ts";
import type { SignInNote } from "#lib/store/agents/agent-refusals.ts";

/** What a turn's end says about its agent's sign-in: refused, or that it works; null if it says nothing. */
export function signInNoteOf(
  { status, entries }: Pick<TurnEnd, "status" | "entries">,
  profile: AgentProfile | undefined,
): SignInNote | null {
  if (profile === undefined || !profile.hasModel) return null;
  const variables = profile.keys.map(({ variable }) => variable);
  if (status === "completed") return { variables, refused: null };
  for (const { message_type, observation } of entries) {
    if (message_type !== "ERROR" || typeof observation !== "object" || observation === null) continue;
    const { code, message } = observation as Record<string, unknown>;
    if (code !== signInCode || typeof message !== "string") continue;
    // The error quotes the endpoint, see signInError.
    const words = /“(.*)”/s.exec(message)?.[1] ?? message;
    return { variables, refused: { words, hint: signInHint(profile) } };
  }
  return null;
}

import type { AgentProfile } from "#lib/agents/agent.ts";
import type { RecordedError } from "./error-entry.ts";
import { signInHint } from "./sign-in-state.ts";

/** The code of the ERROR of an agent that is not signed in, whatever the agent's own was. */
export const signInCode = "sign_in_needed";

/** What an error about a sign-in needs to know of the agent. */
export type SignInProfile = Pick<AgentProfile, "title" | "keys" | "signInHint" | "hasModel">;

/** What agents and their models' services say where a key or a sign-in is missing, wrong or over. */
const refusals =
  /authentication required|failed to authenticate|authentication[_ ]error|(?:in|not a )valid (?:x-)?api[_ -]key|incorrect api key|api key (?:is )?(?:not valid|missing|required)|not (?:logged|signed) in|please (?:run \/login|log ?in|sign in)|\b401\b.*(?:unauthori[sz]ed|api key|token)|unauthori[sz]ed.*\b401\b/i;

/**
 * An error as one that says what the endpoint said, which agent it was and how to sign in to it, where it is about a sign-in;
 * else null. `said`: the agent's last words, in which some tell more than in their error.
 */
export function signInError(profile: SignInProfile, error: RecordedError, said: string): RecordedError | null {
  const words = wordsOf(error.message);
  if (!profile.hasModel) return null;
  const isOne = error.code === 401 || refusals.test(words) || refusals.test(textOf(error.data));
  if (!isOne) return null;
  // Codex says no more than that it needs one, and claude gives the endpoint's words as its own.
  const better = /^(?:internal error: *)?authentication required\.?$/i.test(words) ? lastRefusal(said) : null;
  const quoted = (better ?? words)
    .replace(/^Internal error: */, "")
    .trim()
    .slice(0, 500);
  const hint = signInHint(profile);
  const message = `${profile.title} is not signed in, or its key does not work: “${quoted}”.${hint === null ? "" : ` ${hint}`} Then send the message again.`;
  return { code: signInCode, message, data: { code: error.code, message: error.message, data: error.data ?? null } };
}

/** The message inside of an error that is an endpoint's answer in JSON, like gemini's; else the text as it is. */
function wordsOf(message: string): string {
  const start = message.indexOf("{");
  if (start < 0 || message.length > 100_000) return message;
  try {
    const found = messageIn(JSON.parse(message.slice(start)));
    return found ?? message;
  } catch {
    return message;
  }
}

function messageIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  if ("message" in value && typeof value.message === "string") return value.message;
  return "error" in value ? (typeof value.error === "string" ? value.error : messageIn(value.error)) : null;
}

function lastRefusal(said: string): string | null {
  const lines = said.slice(-16_384).split("\n").reverse();
  return lines.find((line) => refusals.test(line))?.trim() ?? null;
}

function textOf(data: unknown): string {
  return data === undefined || data === null ? "" : JSON.stringify(data).slice(0, 2000);
}

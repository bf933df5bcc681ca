import type { AgentProfile } from "#lib/agents/agent.ts";
import type { RecordedError } from "./error-entry.ts";
import { signInHint } from "./sign-in-state.ts";

/** Code of the ERROR of an agent that is not signed in, whatever its own code was. */
export const signInCode = "sign_in_needed";

/** What an error about a sign-in includes about the agent. */
export type SignInProfile = Pick<AgentProfile, "title" | "keys" | "signInHint" | "hasModel">;

/** Phrases with which agents and model services report a missing, wrong or expired key or sign-in. */
const refusals =
  /authentication required|failed to authenticate|authentication[_ ]error|(?:in|not a )valid (?:x-)?api[_ -]key|incorrect api key|api key (?:is )?(?:not valid|missing|required)|not (?:logged|signed) in|please (?:run \/login|log ?in|sign in)|\b401\b.*(?:unauthori[sz]ed|api key|token)|unauthori[sz]ed.*\b401\b/i;

/**
 * An error about a sign-in, rewritten to say what the endpoint said, which agent it concerns and how to sign in to it; null for
 * other errors. `said`: the agent's last output, which may say more than its error.
 */
export function signInError(profile: SignInProfile, error: RecordedError, said: string): RecordedError | null {
  const words = wordsOf(error.message);
  if (!profile.hasModel) return null;
  const isOne = error.code === 401 || refusals.test(words) || refusals.test(textOf(error.data));
  if (!isOne) return null;
  // Codex says only that it needs a sign-in, and claude reports the endpoint's words as its own.
  const better = /^(?:internal error: *)?authentication required\.?$/i.test(words) ? lastRefusal(said) : null;
  const detail = refusals.test(words) ? null : detailOf(error.data);
  const quoted = (better ?? detail ?? words)
    .replace(/^Internal error: */, "")
    .trim()
    .slice(0, 500);
  const hint = signInHint(profile);
  const message = `${profile.title} is not signed in, or its key does not work: “${quoted}”.${hint === null ? "" : ` ${hint}`} Then send the message again.`;
  return { code: signInCode, message, data: { code: error.code, message: error.message, data: error.data ?? null } };
}

/** The message inside an error that is an endpoint's JSON answer, like gemini's; else the text as it is. */
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

/** What the data of an error say, if they speak of a sign-in. */
function detailOf(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return null;
  const said = "details" in data && typeof data.details === "string" ? data.details : messageIn(data);
  return said !== null && refusals.test(said) ? wordsOf(said) : null;
}

function lastRefusal(said: string): string | null {
  const lines = said.slice(-16_384).split("\n").reverse();
  return (
    lines.find((line) => refusals.test(line) && !/RequestError: Authentication required\s*$/.test(line))?.trim() ?? null
  );
}

function textOf(data: unknown): string {
  return data === undefined || data === null ? "" : JSON.stringify(data).slice(0, 2000);
}

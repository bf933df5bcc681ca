import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { messageTextOf } from "./person-text.ts";

/** Only this many characters of a text are read: the lines about a session precede the output. */
const headLength = 2_000;
const running = /(?:session|cell) ID:? ([\w-]{1,60})/i;

/**
 * Id of the session that a shell call left running, so that later calls continue it: a field (`session_id`, `cell_id`), or a
 * line before the output ("Process running with session ID 4964"). Null if there is none.
 */
export function leftSessionOf(toolOutput: unknown): string | null {
  const fields = fieldsOf(toolOutput);
  const named = textField(fields, "session_id", "cell_id") ?? numberField(fields, "session_id", "cell_id");
  if (named !== null) return String(named);
  const text = typeof toolOutput === "string" ? toolOutput : (textField(fields, "output") ?? messageTextOf(toolOutput));
  return text === null ? null : (running.exec(text.slice(0, headLength))?.[1] ?? null);
}

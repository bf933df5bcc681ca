import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { messageTextOf } from "./person-text.ts";

const written = /^\[Request interrupted by user(?: for tool use)?\]$/;

/**
 * A record that a turn was ended before its agent was done; `message` says by whom. As written by Errand's driver (`{kind:
 * "interruption"}`), or by a harness in a person's name. Null for any other observation.
 */
export function interruptionOf(observation: unknown): { message: string } | null {
  const fields = fieldsOf(observation);
  if (fields.kind === "interruption") return { message: textField(fields, "message") ?? "The turn was interrupted." };
  const text = messageTextOf(observation);
  return text !== null && text.length < 100 && written.test(text.trim())
    ? { message: "The person interrupted the agent." }
    : null;
}

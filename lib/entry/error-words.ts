import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";

/** Content of an ERROR: the message first. `code` is for programs. */
export type ErrorWords = { code: string | null; message: string; details: unknown };

/** Reads the observation of an ERROR: `{code, message, data}`, or a text, or anything. */
export function errorWordsOf(value: unknown): ErrorWords {
  if (typeof value === "string" && value.trim() !== "") return { code: null, message: value, details: null };
  const fields = fieldsOf(value);
  const message = textField(fields, "message", "error", "detail", "text");
  const code = textField(fields, "code") ?? numberField(fields, "code")?.toString() ?? null;
  if (message === null) return { code, message: "The run failed without an error message.", details: value ?? null };
  const known = new Set(["message", "code", "data"]);
  const others = Object.entries(fields).filter(([name, field]) => !known.has(name) && field !== message);
  const details = fields.data ?? (others.length === 0 ? null : Object.fromEntries(others));
  return { code, message, details };
}

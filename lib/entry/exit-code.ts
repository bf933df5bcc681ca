import { fieldsOf, numberField } from "#lib/contract/json-fields.ts";
import { readHeaderLines } from "./header-lines.ts";
import { resultTextOf } from "./result-text.ts";
import { endsOfText } from "./text-ends.ts";

/** The code with which a call ended: of a field, or of the lines around its output; null if it has none. */
export function exitCodeOf(toolOutput: unknown): number | null {
  const fields =
    typeof toolOutput === "string"
      ? { output: toolOutput }
      : Array.isArray(toolOutput)
        ? { content: toolOutput }
        : fieldsOf(toolOutput);
  const reported = exitField(fields);
  if (reported !== null) return reported;
  const { text } = resultTextOf(fields);
  return text === null ? null : readHeaderLines(endsOfText(text), false).exitCode;
}

/** The code in a field of a result. */
export function exitField(fields: Record<string, unknown>): number | null {
  return (
    numberField(fields, "exit_code", "exitCode", "returncode") ??
    numberField(fieldsOf(fields.metadata), "exit_code", "exit", "exitCode") ??
    numberField(fieldsOf(fields.result), "exit_code", "exitCode") ??
    numberField(fieldsOf(fieldsOf(fields.extras).metadata), "exit_code")
  );
}

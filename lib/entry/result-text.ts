import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";

/** Text of a result, and the fields it was taken from. */
export type ResultText = {
  /** Null if the result has no text. */
  text: string | null;
  /** If the result separates them; otherwise null. */
  stdout: string | null;
  stderr: string | null;
  /** Names of fields whose whole value is in the text. */
  used: string[];
  /** Name of a list of content blocks whose texts are the text; null if it is not from such a list. */
  blocks: string | null;
};

/**
 * Text of a result: `output`; or stdout and stderr (both, separated); or `text`; or the texts of `content`; or `result`,
 * `message`, `error`, or other common names. An empty text gives way to a non-empty one.
 */
export function resultTextOf(fields: Record<string, unknown>): ResultText {
  // Nearly all results have one, and every call is checked.
  const { output } = fields;
  if (typeof output === "string" && output !== "") {
    return { text: output, stdout: null, stderr: null, used: ["output"], blocks: null };
  }
  let empty: ResultText | null = null;
  for (const candidate of candidates(fields)) {
    if (candidate.text !== null && candidate.text !== "") return candidate;
    if (candidate.text === "") empty ??= candidate;
  }
  return empty ?? { text: null, stdout: null, stderr: null, used: [], blocks: null };
}

function* candidates(fields: Record<string, unknown>): Generator<ResultText> {
  yield textIn(fields, "output");
  const stdout = stringField(fields, "stdout");
  const stderr = stringField(fields, "stderr");
  if (stdout !== null || stderr !== null) {
    yield { text: joined([stdout ?? "", stderr ?? ""]), stdout, stderr, used: ["stdout", "stderr"], blocks: null };
  }
  for (const name of ["text", "content", "result", "message", "error", "observation", "resultDisplay"]) {
    yield textIn(fields, name);
  }
  yield { text: agentsText(fields.status), stdout: null, stderr: null, used: ["status"], blocks: null };
}

function textIn(fields: Record<string, unknown>, name: string): ResultText {
  const value = fields[name];
  const none = { stdout: null, stderr: null, used: [], blocks: null };
  if (typeof value === "string") return { ...none, text: value, used: [name] };
  if (name === "error") return { ...none, text: stringField(fieldsOf(value), "message") };
  return Array.isArray(value) ? { ...none, text: blocksText(value), blocks: name } : { ...none, text: null };
}

/** Answers of agents waited for: codex returns them as `{[agent]: {completed: text}}` in place of a status. */
function agentsText(status: unknown): string | null {
  const texts = Object.values(fieldsOf(status)).flatMap((agent) => {
    const said = Object.values(fieldsOf(agent));
    return said.every((text) => typeof text === "string") ? said : [];
  });
  return texts.length === 0 ? null : texts.join("\n\n");
}

/**
 * Texts of content blocks (`[{type: "text", text}]`), of Gemini's function responses, and plain texts; null if there are none.
 */
export function blocksText(blocks: readonly unknown[]): string | null {
  const texts = blocks.flatMap((block) => {
    if (typeof block === "string") return [block];
    const fields = fieldsOf(block);
    const response = fieldsOf(fieldsOf(fields.functionResponse).response);
    const text =
      stringField(fields, "text") ??
      stringField(fieldsOf(fields.content), "text") ??
      stringField(response, "output", "error", "content");
    return text ?? [];
  });
  return texts.length === 0 ? null : joined(texts);
}

/** Texts joined, each beginning on a new line. */
function joined(texts: readonly string[]): string {
  const filled = texts.filter((text) => text !== "");
  return filled.map((text, at) => (at === 0 || filled[at - 1]?.endsWith("\n") ? text : `\n${text}`)).join("");
}

import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";

/** The text of a result, and the fields that it was taken from. */
export type ResultText = {
  /** Null where the result has no text. */
  text: string | null;
  /** Where the result tells them apart; null otherwise. */
  stdout: string | null;
  stderr: string | null;
  /** The names of the fields whose whole value is in the text. */
  used: string[];
  /** The name of a list of content blocks whose texts are the text; null where it is not from such a list. */
  blocks: string | null;
};

/**
 * The text of a result: `output`, else stdout and stderr (both, told apart), else `text`, else the texts of `content`, else
 * `result`, `message`, `error`, or what else tools call it. An empty text gives way to one that is not.
 */
export function resultTextOf(fields: Record<string, unknown>): ResultText {
  // Nearly all results have one, and this is asked of every call.
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

/** What agents that were waited for said: codex gives them as `{[agent]: {completed: text}}` in place of a status. */
function agentsText(status: unknown): string | null {
  const texts = Object.values(fieldsOf(status)).flatMap((agent) => {
    const said = Object.values(fieldsOf(agent));
    return said.every((text) => typeof text === "string") ? said : [];
  });
  return texts.length === 0 ? null : texts.join("\n\n");
}

/** The texts of content blocks (`[{type: "text", text}]`), of Gemini's function responses, and plain texts; null without any. */
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

/** Texts one below the other, each from the beginning of a line. */
function joined(texts: readonly string[]): string {
  let whole = "";
  for (const text of texts) {
    if (text === "") continue;
    whole += whole === "" || whole.endsWith("\n") ? text : `\n${text}`;
  }
  return whole;
}

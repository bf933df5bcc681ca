import type { AnalysisRelation } from "#lib/contract/analyze-logs.ts";
import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";

/** An observation for people: its words, its links, and the rest. */
export type Observation = {
  title: string | null;
  text: string | null;
  /** Web addresses; the first one is the observation's subject. */
  links: { label: string; href: string }[];
  /** Fields not covered by the others, shown as JSON; null if nothing is left. */
  rest: Record<string, unknown> | unknown[] | null;
};

const textNames = ["text", "message", "body", "content", "summary", "description", "comment"];
const titleNames = ["title", "name"];
const linkNames = ["html_url", "url", "web_url", "pull_request_url", "pr_url", "link"];

/** Reads an observation of any shape. */
export function observationOf(value: unknown): Observation {
  if (value === null || value === undefined) return { title: null, text: null, links: [], rest: null };
  if (Array.isArray(value)) return { title: null, text: null, links: [], rest: value };
  if (typeof value !== "object") return { title: null, text: String(value), links: [], rest: null };
  const fields = fieldsOf(value);
  const used = new Set(["kind"]);
  const take = (names: string[]) => {
    const name = names.find((candidate) => textField(fields, candidate) !== null);
    if (name === undefined) return null;
    used.add(name);
    return textField(fields, name);
  };
  const title = take(titleNames);
  const text = take(textNames);
  const links = linkNames.flatMap((name) => {
    const href = webAddress(fields[name]);
    if (href === null) return [];
    used.add(name);
    return [{ label: href.replace(/^https?:\/\//, ""), href }];
  });
  const others = Object.entries(fields).filter(([name, field]) => !used.has(name) && field !== null);
  return { title, text, links, rest: others.length === 0 ? null : Object.fromEntries(others) };
}

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

/** Start of a turn, from its USER_MESSAGE. */
export type TurnOrigin = { turn: number; session: string | null; notice: string | null };

/** Reads the `tool_input` of a USER_MESSAGE; null if it contains no turn. */
export function turnOriginOf(toolInput: unknown): TurnOrigin | null {
  const fields = fieldsOf(toolInput);
  const turn = numberField(fields, "turn");
  if (turn === null) return null;
  return { turn, session: textField(fields, "session"), notice: textField(fields, "notice") };
}

/** The turn in which the message of a USER_MESSAGE reached an agent at work; null for one that begins a turn. */
export function duringTurnOf(toolInput: unknown): number | null {
  return numberField(fieldsOf(toolInput), "during_turn");
}

/** The other run named by an AGENT_RUN_LINK, by id or by address. */
export type RunLink = {
  runId: number | null;
  href: string | null;
  text: string | null;
  /** If one of the two runs analyzes the other: the direction of the link. */
  relation: AnalysisRelation | null;
};

/** Reads the link from any field of the entry. */
export function runLinkOf(entry: { observation: unknown; tool_input: unknown; tool_output: unknown }): RunLink {
  const found: RunLink = { runId: null, href: null, text: null, relation: null };
  for (const part of [entry.observation, entry.tool_output, entry.tool_input]) {
    if (typeof part === "string") {
      const id = /(?:^|\/(?:runs|x|trace)\/)#?([1-9]\d{0,14})\/?$/.exec(part.trim())?.[1];
      if (id !== undefined) found.runId ??= Number(id);
      else if (webAddress(part) === null) found.text ??= part;
      found.href ??= webAddress(part.trim());
      continue;
    }
    const fields = fieldsOf(part);
    const id = numberField(fields, "agent_run_id", "linked_agent_run_id", "run_id", "id");
    const written = stringField(fields, "agent_run_id", "run_id");
    if (id !== null) found.runId ??= id;
    else if (written !== null && /^[1-9]\d{0,14}$/.test(written)) found.runId ??= Number(written);
    found.relation ??= relationOf(fields.relation);
    found.href ??= webAddress(fields.web_url ?? fields.url);
    found.text ??= textField(fields, "text", "message", "title", "prompt", "description");
  }
  return found;
}

function relationOf(value: unknown): AnalysisRelation | null {
  return value === "analysis_of" || value === "analysed_by" ? value : null;
}

/** A linkable address: http or https only. */
function webAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 4096 || !/^https?:\/\//i.test(value)) return null;
  return URL.canParse(value) ? new URL(value).href : null;
}

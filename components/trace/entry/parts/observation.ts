import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";
import { webAddress } from "#lib/entry/web-address.ts";

/** An observation prepared for display: its words, its links, and the rest. */
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

/** Words of an observation of any shape, also of content blocks; `rest` is what is left beside them and their images, or null. */
export function saidIn(value: unknown): { title: string | null; text: string | null; rest: unknown } {
  const { title, text, rest } = observationOf(value);
  const words = messageTextOf(value);
  const texts = [...new Set([text, words].filter((one) => one !== null))];
  return { title, text: texts.length === 0 ? null : texts.join("\n\n"), rest: withoutContent(rest) };
}

/** The rest of an observation whose text and image parts are shown as such. */
function withoutContent(rest: unknown): unknown {
  if (Array.isArray(rest)) return rest.every(isShownPart) ? null : rest.filter((part) => !isShownPart(part));
  const { content, ...others } = fieldsOf(rest);
  const left = Array.isArray(content) ? content.filter((part) => !isShownPart(part)) : [];
  const kept = left.length === 0 ? others : { ...others, content: left };
  return Object.keys(kept).length === 0 ? null : kept;
}

function isShownPart(part: unknown): boolean {
  return messageTextOf([part]) !== null || imageSourcesOf(part).length > 0;
}

/** The thought of an ERROR without its first line, if that is the error's message: the card shows it once. */
export function thoughtWithoutMessage(thought: string | null, message: string): string | null {
  if (thought === null || !thought.startsWith(message)) return thought;
  const rest = thought.slice(message.length).replace(/^\.?[^\S\n]*/, "");
  return rest === "" || rest.startsWith("\n") ? rest.trimStart() : thought;
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

import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";

/** Input of a converter for a call: `input` and later its output may have any shape. */
type Call = { id: string | null; name: string; input: unknown; time?: unknown; thought?: string | null };

/**
 * Collects the entries of one run in the order of a trace. Missing times are one second after the previous entry, starting at
 * 2026-01-01.
 */
export class TraceBuilder {
  readonly #entries: NewEntry[] = [];
  readonly #open = new Map<string, NewEntry[]>();
  #lastMs = Date.UTC(2026, 0, 1);
  /** Position of the agent's last words, which may be its answer. */
  #lastSaid: number | null = null;

  /** A message of a person, or one in their name; content blocks are kept as they are. */
  person(content: unknown, time?: unknown): void {
    const observation = typeof content === "string" ? content : { content };
    this.#add({ message_type: "USER_MESSAGE", observation }, time);
    this.#lastSaid = null;
  }

  /** Words of the agent besides its calls. */
  says(text: string, time?: unknown): void {
    if (text.trim() === "") return;
    this.#add({ message_type: "PLAN_EVALUATION", thought: text }, time);
    this.#lastSaid = this.#entries.length - 1;
  }

  /** What the agent thought: never its answer. */
  thinks(text: string, time?: unknown): void {
    if (text.trim() !== "") this.#add({ message_type: "PLAN_EVALUATION", thought: text }, time);
  }

  error(message: string, data: unknown, time?: unknown): void {
    this.#add({ message_type: "ERROR", observation: { message, ...(data === undefined ? {} : { data }) } }, time);
  }

  link(observation: Record<string, unknown>, time?: unknown): void {
    this.#add({ message_type: "AGENT_RUN_LINK", observation }, time);
  }

  /** A call that waits for its output; without one it has an empty output. */
  call({ id, name, input, time, thought = null }: Call): void {
    const entry = this.#add(
      {
        message_type: "ACTION",
        tool_call_id: id === null ? null : id.slice(0, 200) || null,
        tool_name: name.slice(0, 200) || "tool",
        tool_input: inputObject(input),
        tool_output: {},
        thought,
      },
      time,
    );
    const waiting = this.#open.get(id ?? "") ?? [];
    waiting.push(entry);
    this.#open.set(id ?? "", waiting);
    this.#lastSaid = null;
  }

  /** The output of the oldest waiting call with an id; false if there is none. */
  answer(id: string | null, output: unknown): boolean {
    const entry = this.#open.get(id ?? "")?.shift();
    if (entry === undefined) return false;
    entry.tool_output = outputObject(output);
    return true;
  }

  /** More about a call, answered or waiting: fields its output does not have yet. */
  addToOutput(id: string, more: Record<string, unknown>): void {
    const entry = this.#entries.findLast(({ tool_call_id }) => tool_call_id === id);
    if (entry === undefined) return;
    entry.tool_output = { ...more, ...entry.tool_output };
  }

  /** The entries; the agent's last words are its answer if `hasEnded`. */
  finish(hasEnded = true): NewEntry[] {
    const place = this.#lastSaid;
    const said = place === null ? undefined : this.#entries[place];
    if (hasEnded && place !== null && said !== undefined) {
      this.#entries[place] = { ...said, message_type: "FINAL_ANSWER", thought: null, observation: said.thought };
    }
    return this.#entries;
  }

  #add(fields: Partial<NewEntry> & Pick<NewEntry, "message_type">, time: unknown): NewEntry {
    const ms = millisecondsOf(time) ?? this.#lastMs + 1000;
    this.#lastMs = ms;
    const entry: NewEntry = {
      created_at: new Date(ms).toISOString(),
      tool_call_id: null,
      thought: null,
      tool_name: null,
      tool_input: null,
      tool_output: null,
      observation: null,
      ...fields,
    };
    this.#entries.push(entry);
    return entry;
  }
}

/** An instant as ISO text, as seconds or milliseconds since 1970; null for anything else. */
function millisecondsOf(time: unknown): number | null {
  if (typeof time === "number" && time > 0) return Math.round(time < 1e11 ? time * 1000 : time);
  if (typeof time !== "string") return null;
  // A time without a zone is read as UTC, so that it is the same on every machine.
  const ms = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(ms) ? null : ms;
}

function inputObject(input: unknown): Record<string, unknown> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return fieldsOf(input);
  return input === null || input === undefined ? {} : { input };
}

function outputObject(output: unknown): Record<string, unknown> {
  if (typeof output === "string") return { text: output };
  if (Array.isArray(output)) return { content: output };
  return output === null || output === undefined ? { result: null } : inputObject(output);
}

/** Arguments that a model wrote as JSON in a string; the text itself if it is not JSON. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Values of JSON lines; lines that are not JSON are left out. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line.trim() === "" ? [] : [fieldsOf(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** A value as an array: itself, or none. */
export function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of content blocks, or of a text, joined. */
export function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return arrayOf(content)
    .flatMap((block) => {
      const { text } = fieldsOf(block);
      return typeof text === "string" ? [text] : [];
    })
    .join("\n\n");
}

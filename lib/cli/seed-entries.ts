import { IngestEntry } from "#lib/contract/logs/ingest.ts";
import { JsonWriter, plainOf, type SeedValue } from "./seed-json.ts";
import { said } from "./seed-string.ts";
import { pick, type Random, randomOf, type SeedText, seedText } from "./seed-text.ts";

/** Characters of an output far larger than any page. */
export const hugeCharacters = 10 * 1024 * 1024;
/** With fewer entries than this, none is huge. */
const hugeFrom = 10;
const begin = Date.parse("2026-01-05T09:00:00.000Z");
const planSteps = ["Read the code", "Find the cause", "Write a failing test", "Mend it", "Run all tests", "Tidy up"];

type SeedEntry = { [key: string]: SeedValue };

type Made = { random: Random; text: SeedText; index: number; size: number };

/**
 * Entries of a long run as an agent would leave them, 2-6 KB each as JSON: thoughts, commands, edits, reads, searches, plans,
 * errors. Two outputs have 10 MB, at a fifth and at four fifths; "needle-37" occurs only in the entry at 37 percent,
 * "needle-end" only in the last one. The same count and seed give the same entries.
 */
export function* seedEntries(count: number, seed: number): Generator<IngestEntry> {
  for (const entry of seedSteps(count, seed)) yield IngestEntry.parse(plainOf(entry));
}

/** Maximum size of a body, in entries and in bytes; it has at least one entry, however large. */
export type BatchSize = { entriesMax: number; bytesMax: number };

/**
 * {@link seedEntries} as request bodies: JSON in UTF-8, at a fraction of the cost. The bytes of a body stay valid until the one
 * after the next is requested.
 */
export function* seedBodies(
  count: number,
  seed: number,
  { entriesMax, bytesMax }: BatchSize,
): Generator<Uint8Array<ArrayBuffer>> {
  let writer = new JsonWriter();
  let other = new JsonWriter();
  let entries = 0;
  writer.text(opening);
  for (const entry of seedSteps(count, seed)) {
    const end = writer.length;
    if (entries > 0) writer.text(",");
    const start = writer.length;
    writer.value(entry);
    entries += 1;
    if (entries === 1 || (entries <= entriesMax && writer.length <= bytesMax)) continue;
    const first = Buffer.from(writer.bytesFrom(start));
    writer.cut(end);
    writer.text(closing);
    yield writer.bytesFrom(0);
    // Only now is nobody reading those bytes.
    other.cut(0);
    other.text(opening);
    other.bytes(first);
    [writer, other] = [other, writer];
    entries = 1;
  }
  writer.text(closing);
  if (entries > 0) yield writer.bytesFrom(0);
}

const opening = '{"entries":[';
const closing = "]}";

function* seedSteps(count: number, seed: number): Generator<SeedEntry> {
  const random = randomOf(seed);
  const text = seedText(random);
  const huge = count < hugeFrom ? [] : [Math.floor(count * 0.2), Math.floor(count * 0.8)];
  const needle = Math.floor(count * 0.37);
  let time = begin;
  for (let index = 0; index < count; index += 1) {
    // Most steps take seconds; occasionally nobody works for a while.
    time += Math.floor(random() < 0.0005 ? 300_000 + random() * 1_500_000 : 100 + random() * 6000);
    const made = { random, text, index, size: 1750 + Math.floor(random() * 3750) };
    const entry: SeedEntry =
      index === count - 1
        ? { message_type: "FINAL_ANSWER", observation: said`Done: needle-end.\n\n${text.prose(made.size)}` }
        : huge.includes(index)
          ? shell({ ...made, size: hugeCharacters })
          : stepOf(made);
    if (index === needle && index < count - 1) entry.thought = said`Here is needle-37. ${text.prose(120)}`;
    yield { ...entry, created_at: new Date(time).toISOString() };
  }
}

function stepOf(made: Made): SeedEntry {
  if (made.index === 0) return { message_type: "USER_MESSAGE", observation: made.text.prose(made.size) };
  const chance = made.random();
  if (chance < 0.38) return shell(made);
  if (chance < 0.6) return read(made);
  if (chance < 0.76) return edit(made);
  if (chance < 0.83) return search(made);
  if (chance < 0.94) return { message_type: "PLAN_EVALUATION", thought: made.text.prose(made.size) };
  return chance < 0.97 ? plan(made) : failure(made);
}

function shell({ random, text, index, size }: Made): SeedEntry {
  const failed = random() < 0.06;
  return {
    message_type: "ACTION",
    thought: text.prose(120),
    tool_call_id: callId(index),
    tool_name: "shell",
    tool_input: { command: `npm test -- ${text.path()} --step ${index}` },
    tool_output: {
      status: failed ? "failed" : "completed",
      exit_code: failed ? 1 : 0,
      output: text.output(size),
      duration_ms: Math.floor(random() * 5000),
    },
  };
}

function read({ random, text, index, size }: Made): SeedEntry {
  return {
    message_type: "ACTION",
    tool_call_id: callId(index),
    tool_name: "read",
    tool_input: { file_path: text.path(), offset: 1 + Math.floor(random() * 400) },
    tool_output: { status: "completed", output: text.code(size), duration_ms: Math.floor(random() * 40) },
  };
}

function edit({ random, text, index, size }: Made): SeedEntry {
  const path = text.path();
  const same = text.code(size / 5);
  const diff = {
    path,
    oldText: said`${same}\n${text.code(size / 6)}\n`,
    newText: said`${same}\n${text.code(size / 5)}\n`,
  };
  return {
    message_type: "ACTION",
    thought: text.prose(200),
    tool_call_id: callId(index),
    tool_name: "edit",
    tool_input: { file_path: path },
    tool_output: { status: "completed", diffs: [diff], duration_ms: Math.floor(random() * 60) },
    observation: text.prose(size / 5),
  };
}

function search({ random, text, index, size }: Made): SeedEntry {
  return {
    message_type: "ACTION",
    tool_call_id: callId(index),
    tool_name: "grep",
    tool_input: { pattern: pick(random, ["lease", "cursor", "TODO", "throw new", "export function"]), path: "src" },
    tool_output: { status: "completed", output: text.output(size), duration_ms: Math.floor(random() * 300) },
  };
}

function plan({ random, text, index, size }: Made): SeedEntry {
  const done = Math.floor(random() * (planSteps.length + 1));
  const items = planSteps.map((content, index) => ({ content, status: index < done ? "completed" : "pending" }));
  const checklist = items.map(({ content, status }) => `- [${status === "completed" ? "x" : " "}] ${content}`);
  return {
    message_type: "PLAN_EVALUATION",
    thought: checklist.join("\n"),
    tool_call_id: callId(index),
    tool_name: "update_plan",
    tool_output: { plan: items },
    observation: text.prose(size),
  };
}

function failure({ text, size, index }: Made): SeedEntry {
  const data = { step: index, trace: text.output(size) };
  return {
    message_type: "ERROR",
    observation: { code: "tool_failed", message: said`The tool gave up: ${text.prose(80)}`, data },
  };
}

/** An id like those of models: random-looking, the same for the same position. */
function callId(index: number): string {
  return `call_${randomWord(index)}${randomWord(index ^ 0x5bd1e995)}`;
}

function randomWord(index: number): string {
  return Math.floor(randomOf(index)() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}

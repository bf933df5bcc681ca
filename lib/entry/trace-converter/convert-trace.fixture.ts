import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { atifEntries } from "./atif.fixture.ts";
import { claudeCodeEntries } from "./claude-code.fixture.ts";
import { codexEntries } from "./codex.fixture.ts";
import { copilotCliEntries } from "./copilot-cli.fixture.ts";
import { geminiCliEntries } from "./gemini-cli.fixture.ts";
import { inspectRuns } from "./inspect.fixture.ts";
import { messageArrayRuns } from "./message-arrays.fixture.ts";
import { miniSweAgentEntries } from "./mini-swe-agent.fixture.ts";
import { opencodeEntries } from "./opencode.fixture.ts";
import { openhandsEntries } from "./openhands.fixture.ts";
import { piEntries } from "./pi.fixture.ts";
import { spanEntries } from "./spans.fixture.ts";
import { sweAgentEntries } from "./swe-agent.fixture.ts";
import { arrayOf, jsonLines } from "./trace-builder.fixture.ts";

/** A trace file as the entries that an importer would post, one list per run; most files contain one. `file` is `format/name`. */
export type ConvertedTrace = { file: string; runs: { name: string; entries: NewEntry[] }[] };

/** The folder of recorded traces beside the checkout or above it (`shared/traces`); null if there is none. */
export function tracesFolder(): string | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = resolve(folder, "shared/traces");
    if (existsSync(join(found, "ORACLE.json"))) return found;
    if (dirname(folder) === folder) return null;
  }
}

/** Every trace of a folder, by name. Files of unknown formats are left out. */
export function* convertTraces(folder: string): Generator<ConvertedTrace> {
  const formats = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name: format } of formats.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    for (const name of readdirSync(join(folder, format)).sort()) {
      const runs = convertTrace(format, readFileSync(join(folder, format, name)));
      if (runs !== null) yield { file: `${format}/${name}`, runs };
    }
  }
}

/** The calls of a trace in the order of its file: entries of type ACTION. */
export function callsOf({ runs }: ConvertedTrace): NewEntry[] {
  return runs.flatMap(({ entries }) => entries.filter(({ message_type }) => message_type === "ACTION"));
}

/** The runs in a file of a format; null for an unknown format. */
export function convertTrace(format: string, bytes: Buffer): ConvertedTrace["runs"] | null {
  const one = (entries: NewEntry[]) => [{ name: "1", entries }];
  const text = format === "inspect" ? "" : bytes.toString();
  switch (format) {
    case "atif":
      return one(atifEntries(text));
    case "claude-code":
      return one(claudeCodeEntries(text));
    case "codex":
      return one(codexEntries(text));
    case "copilot-cli":
      return one(copilotCliEntries(text));
    case "gemini-cli":
      return one(geminiCliEntries(text));
    case "inspect":
      return inspectRuns(bytes);
    case "message-arrays":
      return messageArrayRuns(text);
    case "mini-swe-agent":
      return one(miniSweAgentEntries(text));
    case "opencode":
      return one(opencodeEntries(text));
    case "openhands":
      return openhandsRuns(text);
    case "pi":
      return one(piEntries(text));
    case "swe-agent":
      return one(sweAgentEntries(text));
    case "otel":
    case "ai-sdk":
      return one(spanEntries(text));
    default:
      return null;
  }
}

function openhandsRuns(text: string): ConvertedTrace["runs"] {
  if (text.trimStart().startsWith("[")) {
    return [{ name: "1", entries: openhandsEntries(arrayOf(JSON.parse(text)).map(fieldsOf)) }];
  }
  const lines = jsonLines(text);
  const runs = lines.filter(({ history }) => Array.isArray(history));
  if (runs.length === 0) return [{ name: "1", entries: openhandsEntries(lines) }];
  return runs.map(({ instance_id, history }) => ({
    name: String(instance_id),
    entries: openhandsEntries(arrayOf(history).map(fieldsOf)),
  }));
}

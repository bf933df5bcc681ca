import assert from "node:assert/strict";
import { test } from "node:test";
import { visitTexts } from "#lib/entry/entry-text.ts";
import { foldCase } from "#lib/entry/fold-case.ts";
import { convertTraces, tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { entryWords } from "./entry-words.ts";

const folder = tracesFolder();
const esc = "\u001B";
const data = "iVBORw0KGgo".repeat(40);

/** Entries as hard as they come: each call is shown, found and exported with the same words. */
const hostile = [
  { tool_name: "Bash", tool_output: { exit_code: 137, output: `${esc}[31merr${esc}[0mor one\nold\rnew\n` } },
  { tool_name: "Bash", tool_output: { stdout: `a\n${esc}[A${esc}[2Kb\n`, stderr: "first\rsecond" } },
  {
    tool_name: "lookup",
    tool_input: { verboseKey: true, n: { alphaKey: null } },
    tool_output: { result: { beta: [false] } },
  },
  { tool_name: "shot", tool_output: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }] },
  { tool_name: "İstanbul", tool_input: { city: "İSTANBUL", κλειδί: "ΟΔΟΣ" }, tool_output: "ok" },
  { tool_name: "Read", tool_input: { file_path: "a.bat" }, tool_output: "one\rtwo" },
].map((entry, index) => ({
  ...{ agent_run_id: 1, seq: index + 1, created_at: "2026-01-31T23:59:59.000Z", message_type: "ACTION", thought: null },
  ...{ tool_name: null, tool_input: null, tool_output: null, observation: null },
  ...entry,
}));

const wordsOf = (text: string) => foldCase(text).match(/[\p{L}\p{N}]{3,40}/gu) ?? [];

function exported(entry: object): string {
  const { title, about, facts, blocks } = entryWords(JSON.stringify(entry));
  return foldCase([title, about, ...facts, ...blocks.map(({ text }) => text)].join("\n"));
}

/** Words that are found in an entry and are not in its export. */
function missing(entry: object): string[] {
  const text = exported(entry);
  const lost: string[] = [];
  visitTexts(entry, (each, pathOf) => {
    for (const word of new Set(wordsOf(each))) if (!text.includes(word)) lost.push(`${pathOf()}: ${word}`);
    return true;
  });
  return lost;
}

test("every word that is found in an entry is in its export, and nothing that a terminal overwrote or base64", () => {
  assert.deepEqual(
    hostile.map(missing),
    hostile.map(() => []),
  );
  const all = hostile.map(exported).join("\n");
  for (const gone of ["old", "first", "ivborw0kggoivborw0kggo"]) assert.ok(!all.includes(gone), gone);
});

test("the same over the recorded traces", (t) => {
  if (folder === null) return t.skip("no recorded traces beside this checkout (../shared/traces)");
  let words = 0;
  const lost: string[] = [];
  for (const { file, runs } of convertTraces(folder)) {
    for (const [index, entry] of runs.flatMap(({ entries }) => entries).entries()) {
      const whole = { agent_run_id: 1, seq: index + 1, ...entry };
      lost.push(...missing(whole).map((word) => `${file} ${index + 1} ${word}`));
      visitTexts(whole, (text) => {
        words += wordsOf(text).length;
        return true;
      });
    }
  }
  // Left are lines that harnesses print around an output, which the export gives in its own words, and unchanged lines of edits.
  const isAround = (each: string) =>
    / tool_output\.(?:output|text|content\.\d+\.text|result\.\d+\.functionResponse\.response\.output): /.test(each) ||
    / tool_input\.(?:input|patchText|oldText|newText): /.test(each) ||
    / tool_name: mcp$/.test(each);
  t.diagnostic(`${words} words, ${lost.length} of them in other words or not at all`);
  assert.deepEqual(lost.filter((each) => !isAround(each)).slice(0, 30), []);
  assert.ok(lost.length < words / 200, `${lost.length} of ${words}`);
});

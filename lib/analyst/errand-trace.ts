// Tool of an agent that analyzes a log: `errand-trace search WORDS`, `errand-trace show SEQ`. The first argument, which the
// script in the checkout adds, is the folder with the log. This file is copied into the checkout, so it imports nothing of Errand.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const hitsMax = 50;
const snippetCharacters = 160;
const shownCharacters = 100_000;

const usage = "Usage: errand-trace search WORDS | errand-trace show SEQ";
const [folder = "", command = "", ...words] = process.argv.slice(2);
const entries = join(folder, "entries");

switch (command) {
  case "search":
    await search(words.join(" ").toLowerCase().split(/\s+/).filter(Boolean));
    break;
  case "show":
    await show(Number(words[0]));
    break;
  default:
    fail(usage);
}

/** Prints the first 50 steps that contain all words, ignoring case. */
async function search(words: string[]): Promise<void> {
  const [first] = words;
  if (first === undefined) return fail(usage);
  let found = 0;
  for (const name of (await readdir(entries)).sort()) {
    const text = await readFile(join(entries, name), "utf8");
    const lower = text.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    found += 1;
    if (found > hitsMax) continue;
    const at = Math.max(0, lower.indexOf(first) - snippetCharacters / 4);
    print(`${Number.parseInt(name, 10)}: ${text.slice(at, at + snippetCharacters).replaceAll("\n", " ")}`);
  }
  print(`${found} ${found === 1 ? "step" : "steps"}${found > hitsMax ? `; the first ${hitsMax} are shown` : ""}`);
}

/** Prints a step, at most 100,000 characters of it. */
async function show(seq: number): Promise<void> {
  if (!Number.isSafeInteger(seq) || seq < 1) return fail(usage);
  const text = await readFile(join(entries, `${String(seq).padStart(6, "0")}.json`), "utf8").catch(() => null);
  if (text === null) return fail(`There is no file for step ${seq}.`);
  print(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text.trimEnd());
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}

import { SeedSource, type SeedString } from "./seed-string.ts";

/** Seeded random numbers (mulberry32), in 0 … 1, 1 excluded. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random element. Throws if there is none. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error("There is nothing to choose from.");
  return chosen;
}

/** Lines of one kind, with the requested number of characters. */
export type Lines = (characters: number) => SeedString;

/**
 * Text of every kind that agents leave. The lines are generated once and texts are windows of them: generating each text would
 * cost more than storing it.
 */
export type SeedText = { prose: Lines; code: Lines; output: Lines; path: () => string };

export function seedText(random: Random): SeedText {
  const path = () => `${pick(random, folders)}/${pick(random, nouns)}-${pick(random, nouns)}.${pick(random, endings)}`;
  const word = () => pick(random, random() < 0.5 ? nouns : verbs);
  const sentence = () => {
    const words = Array.from({ length: 8 + Math.floor(random() * 14) }, word).join(" ");
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  };
  const code = () => {
    const indent = "  ".repeat(Math.floor(random() * 4));
    return `${indent}${pick(random, codeForms)
      .replaceAll("A", pick(random, nouns))
      .replaceAll("B", pick(random, verbs))
      .replaceAll("C", String(Math.floor(random() * 1000)))}`;
  };
  const output = () => {
    const ms = Math.floor(random() * 900);
    return pick(random, outputForms)
      .replaceAll("A", path())
      .replaceAll("B", `${word()} ${word()} ${word()}`)
      .replaceAll("C", String(ms));
  };
  return {
    prose: windowsOf(random, sentence),
    code: windowsOf(random, code),
    output: windowsOf(random, output),
    path,
  };
}

const linesKept = 4000;

function windowsOf(random: Random, line: () => string): Lines {
  const lines = Array.from({ length: linesKept }, line);
  const begins = new Uint32Array(linesKept);
  let length = 0;
  for (const [index, { length: own }] of lines.entries()) {
    begins[index] = length;
    length += own + 1;
  }
  const source = new SeedSource(`${lines.join("\n")}\n`);
  return (characters) => source.take(begins[Math.floor(random() * linesKept)] ?? 0, characters);
}

const folders = [
  "src/store",
  "src/web",
  "lib/queue",
  "lib/parser",
  "test/unit",
  "packages/core/src",
  "app/routes",
  "docs",
];
const endings = ["ts", "ts", "tsx", "py", "go", "rs", "json", "md", "css"];
const nouns =
  "account batch buffer cache change check client clock commit config cursor error event field file filter header index job key lease limit line lock message model node number order page parser path pool query queue range record request result retry route row run schema server session signal state step store stream table task test thread time token tree turn user value window worker".split(
    " ",
  );
const verbs =
  "add append apply ask begin bind build call change check claim clear close collect compare copy count create cut drop end expire fail fetch fill find finish fold follow give hold join keep leave list load look make mark match merge move open order parse pass pick read renew replace report reset retry return run save scan search send show skip sort split start stop store take tell test trim try update use wait walk watch write".split(
    " ",
  );
const codeForms = [
  "const A = await B(A, C);",
  "if (A === null) return C;",
  "export function B({ A }: { A: number }): string {",
  "for (const A of B) total += A.length * C;",
  'throw new Error("A cannot B: C");',
  "return A.map((value) => value.B(C));",
  "// The A may B only once, for a further one would wait C ms.",
  "}",
  "",
  "type A = { B: string; C: number };",
];
const outputForms = [
  "A:C:7 - warning: B",
  "\u001b[32m✓\u001b[39m B (C ms)",
  "\u001b[31m✗\u001b[39m B: expected C, received undefined",
  "[info] B in C ms",
  "A  C bytes",
  "    at B (A:C:13)",
  "compiling A (C modules)",
  "2026-01-05T09:12:C INFO B",
];

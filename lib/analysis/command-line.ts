import { remembered } from "./bounded.ts";
import { type Program, programOf } from "./program.ts";

/** A command of a shell line with what decides whose exit code the line has. */
export type Pipeline = {
  /** The first command as it is written, without the filters after it. */
  text: string;
  /** Its words, unquoted, without assignments before it. */
  words: string[];
  /** What these words run in the end; null where there is none. */
  program: Program | null;
  /** The words of each command behind a `|`, and what each of them runs. */
  filters: string[][];
  filterPrograms: (Program | null)[];
  /** How it is joined to the one before; null for the first. */
  before: Operator | null;
  /** How the next one is joined to it; null for the last. */
  after: Operator | null;
  /** Files that a redirection writes; what begins with /dev/ is left out. */
  writes: string[];
  /** The folder that earlier `cd` commands of the line lead to, as they are written; null for the call's own. */
  folder: string | null;
};
export type Operator = "&&" | "||" | ";" | "&";

/** More of a command is not read, in UTF-16 units. */
const charactersMax = 20_000;
const pipelinesMax = 200;

type Token = { kind: "word"; text: string } | { kind: "operator"; text: Operator | "|" } | { kind: "redirect" };

/**
 * The pipelines of a shell command, in order; those inside of `bash -c '…'`, subshells and loops too. Here-documents are skipped.
 * It is no shell: substitutions stay in their words as they are written.
 */
export const splitCommand: (command: string) => readonly Pipeline[] = remembered(400, (command) =>
  split(command.slice(0, charactersMax), 0),
);

function split(command: string, depth: number): Pipeline[] {
  const pipelines: Pipeline[] = [];
  let parts: Part[] = [newPart()];
  let before: Operator | null = null;
  let folder: string | null = null;

  const close = (after: Operator | null) => {
    const [first, ...rest] = parts;
    parts = [newPart()];
    if (first === undefined || (first.words.length === 0 && first.writes.length === 0)) return;
    const inner = depth < 3 ? scriptOf(first.words) : null;
    const filters = rest.map(({ words }) => words).filter((words) => words.length > 0);
    const filterPrograms = filters.map(programOf);
    const writes = [first, ...rest].flatMap((part) => part.writes);
    if (inner !== null) {
      const own = split(inner, depth + 1);
      own.forEach((pipeline, index) => {
        const isLast = index === own.length - 1;
        pipelines.push({
          ...pipeline,
          filters: isLast ? [...pipeline.filters, ...filters] : pipeline.filters,
          filterPrograms: isLast ? [...pipeline.filterPrograms, ...filterPrograms] : pipeline.filterPrograms,
          before: index === 0 ? before : pipeline.before,
          after: isLast ? after : pipeline.after,
          writes: isLast ? [...pipeline.writes, ...writes] : pipeline.writes,
          folder: joinFolders(folder, pipeline.folder),
        });
      });
    } else {
      if (first.words[0] === "cd" && filters.length === 0) folder = joinFolders(folder, first.words[1] ?? null);
      const { words } = first;
      const program = programOf(words);
      pipelines.push({
        text: first.text.trim(),
        words,
        program,
        filters,
        filterPrograms,
        before,
        after,
        writes,
        folder,
      });
    }
    before = after;
  };

  for (const { token, from, to } of tokensOf(command)) {
    if (pipelines.length >= pipelinesMax) break;
    const part = parts.at(-1) ?? newPart();
    if (token.kind === "operator") {
      if (token.text === "|") parts.push(newPart());
      else close(token.text);
    } else if (token.kind === "redirect") {
      part.awaitsFile = true;
    } else if (part.awaitsFile) {
      part.awaitsFile = false;
      if (!token.text.startsWith("/dev/") && !token.text.startsWith("&")) part.writes.push(token.text);
    } else if (part.words.length === 0 && (keywords.has(token.text) || /^[A-Za-z_]\w*=/.test(token.text))) {
      // An assignment or `then`, `do`: the command comes after it.
    } else {
      part.words.push(token.text);
      part.text += `${part.text === "" ? "" : " "}${command.slice(from, to)}`;
    }
  }
  close(null);
  const last = pipelines.at(-1);
  if (last !== undefined && last.after === ";") last.after = null;
  return pipelines;
}

type Part = { words: string[]; text: string; writes: string[]; awaitsFile: boolean };
const newPart = (): Part => ({ words: [], text: "", writes: [], awaitsFile: false });
const keywords = new Set(["then", "do", "else", "fi", "done", "{", "}", "!", "if", "while", "until"]);
const shells = new Set(["bash", "sh", "zsh", "dash", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"]);

/** The script of `bash -c '…'`, or null. */
function scriptOf([program, ...rest]: readonly string[]): string | null {
  if (program === undefined || !shells.has(program)) return null;
  const flag = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
  return flag === -1 ? null : (rest[flag + 1] ?? null);
}

function joinFolders(base: string | null, folder: string | null): string | null {
  if (folder === null || folder === "") return base;
  return base === null || folder.startsWith("/") || folder.startsWith("~") ? folder : `${base}/${folder}`;
}

/** Words and operators with where they stand. */
function* tokensOf(command: string): Generator<{ token: Token; from: number; to: number }> {
  const documents: string[] = [];
  let at = 0;
  while (at < command.length) {
    const char = command[at] ?? "";
    if (char === "\n") {
      yield operator(";", at, at + 1);
      at += 1;
      for (const end of documents.splice(0)) at = afterDocument(command, at, end);
    } else if (char === " " || char === "\t" || char === "\r") {
      at += 1;
    } else if (char === "\\" && command[at + 1] === "\n") {
      at += 2;
    } else if (char === "#") {
      const end = command.indexOf("\n", at);
      at = end === -1 ? command.length : end;
    } else if (char === "&" && command[at + 1] === ">") {
      yield { token: { kind: "redirect" }, from: at, to: at + 2 };
      at += command[at + 2] === ">" ? 3 : 2;
    } else if (char === "&" || char === "|" || char === ";") {
      const isDouble = command[at + 1] === char;
      if (char === "|" && !isDouble) {
        yield { token: { kind: "operator", text: "|" }, from: at, to: at + 1 };
        at += command[at + 1] === "&" ? 2 : 1;
      } else {
        yield operator(char === ";" ? ";" : isDouble ? (char === "&" ? "&&" : "||") : "&", at, at + 1);
        at += isDouble ? 2 : 1;
      }
    } else if (char === "(" || char === ")") {
      at += 1;
    } else if (char === "<" || char === ">" || isNumberedRedirection(command, at)) {
      const redirection = /^\d?(<<<|<<-?|>>|>\||[<>])(&[\d-])?/.exec(command.slice(at, at + 8));
      at += redirection?.[0].length ?? 1;
      const sign = redirection?.[1] ?? ">";
      if (sign.startsWith("<<") && sign !== "<<<") {
        const { text, to } = wordAt(command, skipBlanks(command, at));
        documents.push(text);
        at = to;
      } else if (sign.startsWith("<")) {
        if (redirection?.[2] === undefined) at = wordAt(command, skipBlanks(command, at)).to;
      } else if (redirection?.[2] === undefined) {
        yield { token: { kind: "redirect" }, from: at, to: at };
      }
    } else {
      const { text, to } = wordAt(command, at);
      yield { token: { kind: "word", text }, from: at, to };
      at = Math.max(to, at + 1);
    }
  }
}

const operator = (text: Operator, from: number, to: number) => ({
  token: { kind: "operator", text } as const,
  from,
  to,
});

/** `2>` and the like. */
function isNumberedRedirection(command: string, at: number): boolean {
  const next = command[at + 1];
  return (next === "<" || next === ">") && /\d/.test(command[at] ?? "");
}

function skipBlanks(command: string, at: number): number {
  let place = at;
  while (command[place] === " " || command[place] === "\t") place += 1;
  return place;
}

/** Where the line after the end of a here-document begins. */
function afterDocument(command: string, from: number, end: string): number {
  let at = from;
  while (at < command.length) {
    const next = command.indexOf("\n", at);
    const line = command.slice(at, next === -1 ? command.length : next);
    at = next === -1 ? command.length : next + 1;
    if (line.trim() === end) break;
  }
  return at;
}

/** What stands in a word for itself. */
const plainWord = /[^\s;&|<>()'"`$\\]+/y;

/** The word that begins here, unquoted, and where it ends. */
function wordAt(command: string, from: number): { text: string; to: number } {
  let text = "";
  let at = from;
  while (at < command.length) {
    plainWord.lastIndex = at;
    const plain = plainWord.exec(command)?.[0];
    if (plain !== undefined) {
      text += plain;
      at += plain.length;
      continue;
    }
    const char = command[at] ?? "";
    if (/[\s;&|<>()]/.test(char)) break;
    if (char === "'" || char === '"' || char === "`") {
      const end = closingQuote(command, at, char);
      text += char === "`" ? command.slice(at, end + 1) : command.slice(at + 1, end).replace(/\\(["\\$`])/g, "$1");
      at = end + 1;
    } else if (char === "$" && command[at + 1] === "(") {
      const end = closingParenthesis(command, at + 1);
      text += command.slice(at, end + 1);
      at = end + 1;
    } else if (char === "\\") {
      text += command[at + 1] ?? "";
      at += 2;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, to: at };
}

function closingQuote(command: string, from: number, quote: string): number {
  for (let at = from + 1; at < command.length; at += 1) {
    if (command[at] === "\\" && quote !== "'") at += 1;
    else if (command[at] === quote) return at;
  }
  return command.length;
}

function closingParenthesis(command: string, from: number): number {
  let open = 0;
  for (let at = from; at < command.length; at += 1) {
    const char = command[at];
    if (char === "'" || char === '"') at = closingQuote(command, at, char);
    else if (char === "(") open += 1;
    else if (char === ")") {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return command.length;
}

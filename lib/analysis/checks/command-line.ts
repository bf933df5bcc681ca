import { remembered } from "#lib/analysis/bounded.ts";
import { type Operator, tokensOf } from "./command-tokens.ts";
import { type Program, programOf } from "./program.ts";

/** A command of a shell line, with what determines whose exit code the line has. */
export type Pipeline = {
  /** The first command as written, without the filters after it. */
  text: string;
  /** Its words, unquoted, without preceding assignments. */
  words: string[];
  /** The program these words finally run; null if there is none. */
  program: Program | null;
  /** The words of each command after a `|`, and the program each of them runs. */
  filters: string[][];
  filterPrograms: (Program | null)[];
  /** How it is joined to the previous one; null for the first. */
  before: Operator | null;
  /** How the next one is joined to it; null for the last. */
  after: Operator | null;
  /** Files written by a redirection, except below /dev/. */
  writes: string[];
  /** The folder that earlier `cd` commands of the line lead to, as written; null for the call's own. */
  folder: string | null;
};

/** Maximum length read of a command, in UTF-16 units. */
const charactersMax = 20_000;
const pipelinesMax = 200;

/**
 * The pipelines of a shell command, in order, including those inside `bash -c '…'`, subshells and loops. Here-documents are
 * skipped. It is not a shell: substitutions stay in their words as written.
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
      // An assignment or `then`, `do`: the command follows.
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

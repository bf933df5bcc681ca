/** Longest line of a command that is left whole. */
const lineMax = 500;

/** Most quotations, substitutions and groups that are read in one another. */
const depthMax = 50;

/** An expansion of a variable with nothing in it that could be quoted. */
const expansion = String.raw`\$\{(?:[^'"\\\x60{}()$\n]|\$\w)*\}`;
/** What shells read in more than one way, wherever it stands: words and operators on two lines, other expansions, `$[1<<2]`. */
const anywhere = String.raw`(?<![ \t])\\\r?\n|\\\r|\$[{[]`;
/** The word that ends a here-document. */
const endWord = String.raw`(?<word>(?:'[^'"\\\r\n]*'|"[^'"\\$\x60\r\n]*"|\\[\w-]|[\w.!+-])+)(?=[ \t;&|<>)]|\r?\n|$)`;
/** Next part outside quotations; unclear are also number signs and shifts that may begin no comment and no here-document. */
const inCode = new RegExp(
  String.raw`${expansion}|(?<unclear>${anywhere}|\\[\s;&|()<>]#|(?<=[;&|()<>]|[^\S \t\n])#|(?<=\w\[[^\]\n]{0,99})<<)|` +
    String.raw`\\[\s\S]|@(['"])\r?\n|<<<|<<(?:-|(?!-))[ \t]*${endWord}|(?<unclear><<)|\$\$|\$'(?:\\[\s\S]|[^'\\])*'?|'[^']*'?|` +
    String.raw`(?<=^|[ \t\n])#[^\n]*|\$\(|["\x60()\n]|[^\\@<$#'"\x60()\n]+|[\s\S]`,
  "y",
);
/** Next part in double quotes. */
const inQuotes = new RegExp(
  String.raw`${expansion}|(?<unclear>${anywhere}|(?<!<)<<-?[ \t]*['"\\]?\w)|\\[\s\S]|\$\$|\$\(|["\x60\n]|[^\\<$"\x60\n]+|[\s\S]`,
  "y",
);

/**
 * A shell command without what it carries for files and programs: `…` stands for the bodies of here-documents, for quotations after
 * their first line, for the rest of a line with more than 500 characters, and for all that follows something that is not read with
 * certainty.
 */
export function bareCommand(command: string): string {
  const documents: (Ending & { depth: number })[] = [];
  /** Open double quotes, substitutions and groups, the innermost last. */
  const open: string[] = [];
  let isCut = false;
  let shown = "";
  let at = 0;
  const show = (text: string) => {
    if (!isCut) shown += text;
  };
  while (at < command.length) {
    const isQuoted = open.at(-1) === '"';
    const pattern = isQuoted ? inQuotes : inCode;
    pattern.lastIndex = at;
    const found = pattern.exec(command);
    const part = found?.[0] ?? command.slice(at);
    const { word, unclear } = found?.groups ?? {};
    at += part.length;
    if (
      unclear !== undefined ||
      isUnclear(part, open) ||
      // Arithmetic has shifts.
      (word !== undefined && open.at(-1) === "(" && open.at(-2) === "(") ||
      (part === "\n" && documents.some(({ depth }) => depth !== open.length))
    ) {
      show("…");
      break;
    }
    if (!isQuoted && /^(?:\$?'|@['"])/.test(part)) {
      show(part.includes("\n") ? `${part.slice(0, part.indexOf("\n")).trimEnd()}…'` : part);
      if (!part.startsWith("@")) continue;
      // PowerShell's quotations end with their sign at the beginning of a line, those of other shells with the next sign.
      const end = command.indexOf(`\n${part[1]}@`, at - 1);
      if (end === -1 || /['"`$\\]/.test(command.slice(at, end))) break;
      at = end + 3;
      continue;
    }
    if (word !== undefined) {
      const end = word.replace(/['"\\]/g, "") + (command.startsWith("\r\n", at) ? "\r" : "");
      documents.push({ end, isIndented: part.startsWith("<<-"), isJoined: !/['"\\]/.test(word), depth: open.length });
    }
    if (part === '"' || part === "`") {
      const start = part === '"' && !isQuoted ? -1 : open.lastIndexOf(part);
      if (start === -1) open.push(part);
      else open.length = start;
    } else if (part === "$(" || part === "(") open.push("(");
    else if (part === ")" && open.at(-1) === "(") open.pop();
    if (isCut && !open.includes('"')) {
      isCut = false;
      show(part);
    } else if (part.endsWith("\n") && open.includes('"')) {
      show("…");
      isCut = true;
    } else show(part);
    if (part !== "\n") continue;
    for (const ending of documents.splice(0)) {
      show("…\n");
      at = endOfDocument(command, at, ending);
    }
  }
  const lines = shown.split("\n");
  return lines.map((line) => (line.length > lineMax ? `${line.slice(0, lineMax).toWellFormed()}…` : line)).join("\n");
}

/** Whether shells read the part in more than one way because of what is open around it. */
function isUnclear(part: string, open: string[]): boolean {
  if (open.length > depthMax) return true;
  // A substitution between backticks ends with the first one, whatever is around it, and drops backslashes.
  if (open.includes("`") && (part === "`" ? open.at(-1) !== "`" : /^(?:\\|#|<<)|`/.test(part))) return true;
  // The patterns of `case` close parentheses that they did not open.
  return open.includes('"') && open.at(-1) !== '"' && /\bcase\b/.test(part);
}

/** What ends a here-document. `isJoined`: after a backslash, its lines are one. */
type Ending = { end: string; isIndented: boolean; isJoined: boolean };

/** Where the line that ends a here-document begins; the command's end if another line could end it too. */
function endOfDocument(command: string, from: number, { end, isIndented, isJoined }: Ending): number {
  for (let at = from; at < command.length; ) {
    const next = command.indexOf("\n", at);
    const line = command.slice(at, next === -1 ? command.length : next);
    if ((isIndented ? line.replace(/^\t+/, "") : line) === end) return at;
    if (next === -1 || line.trimStart().startsWith(end.trimEnd()) || (isJoined && line.endsWith("\\"))) break;
    at = next + 1;
  }
  return command.length;
}

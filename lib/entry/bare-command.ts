/** Longest line of a command that is left whole. */
const lineMax = 500;

/** Next part outside quotations; `word` is the end of a here-document. */
const inCode =
  /\\[\s\S]|@(['"])\r?\n|<<<|<<-?[ \t]*(?<word>(?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s'"\\<>|&;()`])+)|\$'(?:\\[\s\S]|[^'\\])*'?|'[^']*'?|(?<=^|[\s;&|(])#[^\n]*|\$\(|["`()\n]|[^\\@<$#'"`()\n]+|[\s\S]/y;
/** Next part in double quotes. */
const inQuotes = /\\[\s\S]|<<-?[ \t]*(?<word>\w+|'\w+'|\\\w+)|\$\(|["`\n]|[^\\<$"`\n]+|[\s\S]/y;

/**
 * A shell command without what it carries for files and programs: `…` stands for the bodies of here-documents, for quotations after
 * their first line, and for the rest of a line with more than 500 characters. In doubt it leaves out more.
 */
export function bareCommand(command: string): string {
  const documents: { end: string; isIndented: boolean }[] = [];
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
    const word = found?.groups?.word;
    at += part.length;
    if (!isQuoted && /^(?:\$?'|@['"])/.test(part)) {
      show(part.includes("\n") ? `${part.slice(0, part.indexOf("\n")).trimEnd()}…'` : part);
      // PowerShell's quotations end with their sign at the beginning of a line.
      const end = part.startsWith("@") ? command.indexOf(`\n${part[1]}@`, at - 1) : at - 3;
      at = end === -1 ? command.length : end + 3;
      continue;
    }
    if (word !== undefined) documents.push({ end: word.replace(/['"\\]/g, ""), isIndented: part.startsWith("<<-") });
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
    for (const { end, isIndented } of documents.splice(0)) {
      show("…\n");
      at = endOfDocument(command, at, end, isIndented);
    }
  }
  const lines = shown.split("\n");
  return lines.map((line) => (line.length > lineMax ? `${line.slice(0, lineMax).toWellFormed()}…` : line)).join("\n");
}

/** Where the line that ends a here-document begins. */
function endOfDocument(command: string, from: number, end: string, isIndented: boolean): number {
  for (let at = from; at < command.length; ) {
    const next = command.indexOf("\n", at);
    const line = command.slice(at, next === -1 ? command.length : next).replace(/\r$/, "");
    if ((isIndented ? line.replace(/^\t+/, "") : line) === end) return at;
    if (next === -1) break;
    at = next + 1;
  }
  return command.length;
}

/** Operators that join commands of a shell line. */
export type Operator = "&&" | "||" | ";" | "&";

/** A word is unquoted; the word after a redirection is the file it writes. */
export type Token = { kind: "word"; text: string } | { kind: "operator"; text: Operator | "|" } | { kind: "redirect" };

/** Words, operators and writing redirections, with their positions in the command. Here-documents and comments are skipped. */
export function* tokensOf(command: string): Generator<{ token: Token; from: number; to: number }> {
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

/** Position of the line after the end of a here-document. */
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

/** Literal characters of a word. */
const plainWord = /[^\s;&|<>()'"`$\\]+/y;

/** The word that begins here, unquoted, and its end. */
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

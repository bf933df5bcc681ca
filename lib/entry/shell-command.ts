/** A command as one text, without the shell that starts it (`bash -lc '…'`). Null if there is none. */
export function commandText(value: unknown): string | null {
  if (Array.isArray(value)) {
    const words = value.filter((word) => typeof word === "string");
    if (words.length === 0) return null;
    const script = words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? "") ? words[2] : undefined;
    return script ?? words.map(quoted).join(" ");
  }
  if (typeof value !== "string" || value.trim() === "") return null;
  const shell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh -l?c '/.exec(value)?.[0];
  if (shell === undefined || !value.endsWith("'")) return value;
  const parts = value.slice(shell.length, -1).split("'\\''");
  // Another quote inside ends the script: the command contains more.
  return parts.some((part) => part.includes("'")) ? value : parts.join("'");
}

/**
 * The patch of a command that only applies one: `["apply_patch", "*** Begin Patch…"]`, or a here-document; null for any other.
 */
export function patchIn(command: unknown): string | null {
  const words = Array.isArray(command) ? command : [command];
  const text = words.find((word) => typeof word === "string" && word.includes("*** Begin Patch"));
  if (typeof text !== "string") return null;
  const start = text.indexOf("*** Begin Patch");
  // Between the program and its patch is at most the rest of the program's line.
  const before = text.slice(0, start).replace(/['"]$/, "").trimEnd();
  const lastLine = before.slice(before.lastIndexOf("\n") + 1);
  if (!words.includes("apply_patch") && !/(?:^|[\s'"(])apply_patch\b/.test(lastLine)) return null;
  const end = text.indexOf("*** End Patch", start);
  return end === -1 ? text.slice(start) : text.slice(start, end + "*** End Patch".length);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Whether exit code 1 is one of the command's answers and not a failure: the last program that ran is grep, rg, which, diff,
 * cmp or the shell's own test. `cd x && grep y` counts; `grep y && npm test` does not, because either of the two may have
 * returned 1.
 */
export function answersByExitCode(command: string): boolean {
  const program = onlyProgram(command);
  return program !== null && answering.has(program);
}

const answering = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "which", "diff", "cmp", "test", "[", "[["]);
/** Programs that only change folder, set or show something: those after them decide. */
const preparing = /^(?:cd|pushd|export|set|source|\.|echo|printf|true|pwd|ls|sleep|cat|nl|sed|head|tail|wc)$/;

/** The program whose exit code is the command's, if the ones before it cannot have decided; null if that is not certain. */
function onlyProgram(command: string): string | null {
  const parts = splitCommand(command.trim());
  const last = parts?.at(-1);
  if (parts === null || last === undefined) return null;
  // Anything before a semicolon decides nothing.
  const from = parts.findLastIndex(({ joinedBy }) => joinedBy === ";" || joinedBy === "\n") + 1;
  const isPrepared = parts.slice(from, -1).every(({ text, joinedBy }) => {
    if (joinedBy === "|") return true;
    const program = programOf(text) ?? "";
    return joinedBy === "&&" && (preparing.test(program) || answering.has(program));
  });
  return isPrepared ? programOf(last.text) : null;
}

type Part = { text: string; joinedBy: string };

/** A command split at its operators outside quotes; `joinedBy` is what follows a part. Null if it is too complex. */
function splitCommand(command: string): Part[] | null {
  if (command.length > 10_000) return null;
  if (/\$\(|`|<<|\bthen\b|\bdo\b/.test(command.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""))) return null;
  const parts: Part[] = [];
  const pattern = /"(?:[^"\\]|\\.)*"|'[^']*'|\\.|&&|\|\||\|&?|;|\n|[^"'\\&|;\n]+|[\s\S]/g;
  let text = "";
  for (const [token] of command.matchAll(pattern)) {
    const isOperator = token === "&&" || token === "||" || token === ";" || token === "\n" || /^\|&?$/.test(token);
    if (!isOperator) text += token;
    else {
      if (text.trim() !== "") parts.push({ text: text.trim(), joinedBy: token === "|&" ? "|" : token });
      text = "";
    }
  }
  if (text.trim() !== "") parts.push({ text: text.trim(), joinedBy: "" });
  return parts;
}

/** Name of a program without its path, after variable assignments, sudo and the like. */
function programOf(part: string): string | null {
  const words = part.replace(/^[({!\s]+/, "").split(/\s+/);
  for (const word of words) {
    if (/^[A-Za-z_]\w*=/.test(word) || /^(?:sudo|command|env|time|builtin|nohup)$/.test(word)) continue;
    if (word === "git") return words[words.indexOf(word) + 1] === "grep" ? "grep" : "git";
    return word.split("/").at(-1) || null;
  }
  return null;
}

/** The lines that a tool printed around its output: figures, and how its program ended. */
export type HeaderLines = {
  /** The output without these lines. */
  text: string;
  chips: { label: string; value: string }[];
  exitCode: number | null;
  signal: string | null;
  /** The tool's words for being ended from outside; null if it has none. */
  stop: "cancelled" | "timeout" | null;
};

/**
 * Removes the lines that codex, Gemini CLI, mini-swe-agent, OpenHands, pi and Claude Code print around a command's output.
 * `hasFailed`: the result is marked as an error; only then is a lone "Exit code 1" the tool's own.
 */
export function readHeaderLines(text: string, hasFailed: boolean): HeaderLines {
  const found: HeaderLines = { text, chips: [], exitCode: null, signal: null, stop: null };
  for (const read of readers) read(found, hasFailed);
  return found;
}

type Reader = (found: HeaderLines, hasFailed: boolean) => void;

const readers: readonly Reader[] = [
  readGemini,
  readCodex,
  readReturnCode,
  readExitLine,
  readBracketLines,
  readLastLine,
];

const codexStart =
  /^(?:Command: |Chunk ID: |Wall time[: ]|Exit code: -?\d|Script (?:completed|failed|terminated)\n(?:Wall time|Output:)|Script running with cell ID )/;
const codexFigure = /^(Command|Chunk ID|Wall time|Original token count|Exit code|Total output lines):? (.*)$/;

/** `Chunk ID: 8c7cc0`, `Wall time: 0.1 seconds`, `Process exited with code 0`, up to a line that is `Output:`. */
function readCodex(found: HeaderLines): void {
  const { text } = found;
  const json = /^\{"chunk_id":[^{}]{0,300}?"exit_code":(-?\d{1,10})\b/.exec(text);
  if (json !== null) found.exitCode = Number(json[1]);
  if (!codexStart.test(text)) return;
  const chips: HeaderLines["chips"] = [];
  let exitCode: number | null = null;
  let at = commandEnd(text);
  if (at > 0) chips.push({ label: "Command", value: text.slice("Command: ".length, at - 1) });
  for (let count = 0; count < headerLinesMax && at < text.length; count += 1) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const exited = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/.exec(line)?.[1];
    const running = /^(?:Process running with session ID|Script running with cell ID) (\S{1,100})$/.exec(line)?.[1];
    // A program may print the same line; in the header nothing else is on it.
    const script = /^Script (?:completed|failed|terminated)$/.test(line);
    const [, label, value] = codexFigure.exec(line) ?? [];
    if (line === "Output:") {
      at = end + 1;
      break;
    }
    if (exited !== undefined) exitCode = Number(exited);
    else if (running !== undefined) chips.push({ label: "Still running, session", value: running });
    else if (script) chips.push({ label: "Script", value: line.slice("Script ".length) });
    else if (label !== undefined && value !== undefined) chips.push({ label, value });
    else break;
    at = end + 1;
  }
  if (chips.length === 0 && exitCode === null) return;
  found.chips.push(...chips);
  found.exitCode = exitCode ?? found.exitCode;
  found.text = text.slice(at);
  if (/^\{"chunk_id":/.test(found.text)) readCodex(found);
}

const headerLinesMax = 12;

/** A command may have many lines; the figures after it begin on a new line. */
function commandEnd(text: string): number {
  if (!text.startsWith("Command: ")) return 0;
  const end = /\n(?=Chunk ID: |Wall time: |Process (?:exited|running) with |Output:)/.exec(text.slice(0, 20_000));
  return end === null ? text.length : end.index + 1;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** `Command: …`, `Directory: …`, `Output: …`, `Error: …`, `Exit Code: 0`, `Signal: 0` of Gemini CLI. */
function readGemini(found: HeaderLines): void {
  const { text } = found;
  if (!text.startsWith("Command: ") || !/\nDirectory: .*\n(?:Stdout|Output): /.test(text.slice(0, 20_000))) return;
  const start = /\n(?:Stdout|Output): /.exec(text);
  const directory = /\nDirectory: (.*)\n/.exec(text)?.[1];
  if (start === null) return;
  const bodyStart = start.index + start[0].length;
  const codeAt = text.lastIndexOf("\nExit Code: ");
  const errorAt = Math.max(text.lastIndexOf("\nError: ", codeAt), text.lastIndexOf("\nStderr: ", codeAt));
  const hasEnd = errorAt >= bodyStart && text.length - codeAt < 2_000;
  const body = text.slice(bodyStart, hasEnd ? errorAt : text.length);
  const command = text.slice("Command: ".length, text.indexOf("\nDirectory: "));
  found.chips.push({ label: "Command", value: command }, { label: "Directory", value: directory ?? "" });
  const tail = hasEnd ? text.slice(errorAt + 1) : "";
  const exitAt = tail.lastIndexOf("\nExit Code: ");
  const error = exitAt === -1 ? "" : tail.slice(tail.indexOf(": ") + 2, exitAt);
  for (const line of exitAt === -1 ? [] : tail.slice(exitAt + 1).split("\n")) {
    const [, label, value] = /^([A-Z][\w ]{1,40}): (.*)$/.exec(line) ?? [];
    if (label === undefined || value === undefined) continue;
    if (label === "Exit Code" && /^-?\d+$/.test(value)) found.exitCode = Number(value);
    else if (label === "Signal" && !/^(?:0|\(none\))$/.test(value)) found.signal = value;
    else if (value !== "(none)") found.chips.push({ label, value });
  }
  const isError = error !== "" && error !== "(none)";
  found.text = isError ? [body === "(empty)" ? "" : body, error].filter(Boolean).join("\n") : body;
}

/** `<returncode>0</returncode>` before an `<output>`, whose tags are removed. */
function readReturnCode(found: HeaderLines): void {
  const code = /^<returncode>(-?\d{1,10})<\/returncode>\n?/.exec(found.text);
  if (code === null) return;
  found.exitCode = Number(code[1]);
  const rest = found.text.slice(code[0].length);
  const inner = /^<output>\n?([\s\S]*?)\n?<\/output>\s*$/.exec(rest);
  found.text = inner?.[1] ?? rest;
}

/** Claude Code begins a failed command's output with `Exit code 1`. */
function readExitLine(found: HeaderLines, hasFailed: boolean): void {
  const line = hasFailed ? /^(?:Error: )?Exit code (-?\d{1,10})(?:\n|$)/.exec(found.text) : null;
  if (line === null) return;
  found.exitCode = Number(line[1]);
  found.text = found.text.slice(line[0].length);
}

/** OpenHands ends with lines in brackets: `[The command completed with exit code 0.]`, `[Current working directory: /work]`. */
function readBracketLines(found: HeaderLines): void {
  if (!/\]\s*$/.test(found.text.slice(-20))) return;
  const lines = /(?:(?:^|\n)\[[^\n\]]{1,300}\])+\s*$/.exec(found.text.slice(-2_000));
  const code = lines === null ? null : /ommand (?:completed|finished) with exit code (-?\d{1,10})/.exec(lines[0]);
  if (lines === null || code === null) return;
  // OpenHands says -1 while the program is still running.
  if (code[1] !== "-1") found.exitCode = Number(code[1]);
  for (const line of lines[0].trim().split("\n")) {
    const [, label, value] = /^\[([\w ]{1,40}): (.*)\]$/.exec(line) ?? [];
    if (label !== undefined && value !== undefined) found.chips.push({ label, value });
  }
  found.text = found.text.slice(0, found.text.length - lines[0].length);
}

/** pi ends a failed command's output with `Command exited with code 2`, `Command aborted` or `Command timed out after 30 seconds`. */
function readLastLine(found: HeaderLines, hasFailed: boolean): void {
  if (!hasFailed) return;
  const end = /\s*\n?Command (?:exited with code (-?\d{1,10})|(aborted)|timed out after ([\w. ]{1,40}))\s*$/.exec(
    found.text.slice(-200),
  );
  if (end === null || !/(?:^|\n)Command /.test(end[0])) return;
  if (end[1] !== undefined) found.exitCode = Number(end[1]);
  else found.stop = end[2] === undefined ? "timeout" : "cancelled";
  if (end[3] !== undefined) found.chips.push({ label: "Timed out after", value: end[3] });
  found.text = found.text.slice(0, found.text.length - end[0].length);
}

import { spawn } from "node:child_process";

/** Runs a program to its end. Returns the lines of its standard output without trailing spaces. Throws if it fails. */
export async function runProgram(
  program: string,
  words: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string[]> {
  // The test runner asks for colors although there is no terminal.
  const environment = { ...process.env, FORCE_COLOR: "0", ...env };
  const child = spawn(program, words, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let [output, all] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    all += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  if (code !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${code}: ${all}`);
  const lines = output.trimEnd().split("\n");
  return lines.map((line) => line.trimEnd());
}

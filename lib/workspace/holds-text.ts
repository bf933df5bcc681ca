import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Environment, toProcessEnv } from "./environment.ts";

const namesBytesMax = 1024 ** 3;

/**
 * Whether one of the texts occurs below the folder: in a file, a name or the target of a link. A text of several lines occurs if
 * any of its lines does.
 */
export async function holdsText(
  folder: string,
  texts: readonly string[],
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<boolean> {
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
  if (lines.length === 0) return false;
  const listing = ["-mindepth", "1", "-printf", "%P %l\\n"];
  const { stdout: names } = await promisify(execFile)("find", [folder, ...listing], {
    ...{ signal, encoding: "buffer", maxBuffer: namesBytesMax },
  });
  return lines.some((line) => names.includes(line)) || (await inFiles(folder, lines, { env, signal }));
}

/** The texts are passed by stdin, because other users of the machine can read arguments. */
async function inFiles(
  folder: string,
  lines: readonly string[],
  { env, signal }: { env: Environment; signal: AbortSignal },
): Promise<boolean> {
  const args = ["--recursive", "--quiet", "--text", "--fixed-strings", "--file=-", "--", folder];
  const searching = promisify(execFile)("grep", args, { signal, env: toProcessEnv({ PATH: env.PATH, LC_ALL: "C" }) });
  searching.child.stdin?.on("error", () => undefined).end(`${lines.join("\n")}\n`);
  try {
    await searching;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === 1) return false;
    throw error;
  }
}

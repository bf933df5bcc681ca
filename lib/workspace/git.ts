import { type ChildProcess, spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { type Environment, toProcessEnv } from "./environment.ts";
import { gitEnvironment, gitSettings } from "./git-environment.ts";
import { WorkspaceError, type WorkspaceErrorCode } from "./workspace-error.ts";

/** Options of one git command. */
export interface GitOptions {
  /** Folder it is run in; must exist. */
  cwd: string;
  /** Where PATH, HOME, proxies and the SSH agent come from; see gitEnvironment for what is let through. */
  env: Environment;
  /** Variables for this command, such as GIT_DIR. They override all others. */
  variables?: Readonly<Record<string, string>>;
  /** Arguments before the command, such as `-c` and a setting. */
  settings?: readonly string[];
  signal?: AbortSignal | undefined;
  /** Default 120,000. */
  timeoutMs?: number | undefined;
  stdin?: string | Uint8Array | Readable;
  /** Maximum size of stdout in bytes, default 64 MB. */
  outputBytesMax?: number;
  /** What happens with more output: an error (default), or the command ends and `cut` is set. */
  overflow?: "throw" | "cut";
  /** Whether exit code 1 is an answer and not a failure. */
  mayAnswerOne?: boolean;
}

/** Where programs, keys and proxies of git come from, and what ends it. */
export type GitContext = Pick<GitOptions, "env" | "signal">;

/** Output of a successful command, as bytes because names in it may not be UTF-8. */
export interface GitResult {
  stdout: Buffer;
  stderr: string;
  /** Whether stdout was longer than outputBytesMax and was cut. */
  cut: boolean;
  /** 0 or, if it may be, 1. */
  exitCode: number | null;
}

/** A git command that failed. `message` is one line of git's output, with credentials masked. */
export class GitError extends WorkspaceError {
  /** null when a signal or a time-out ended the command, or it could not be started. */
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(code: WorkspaceErrorCode, message: string, exitCode: number | null, stderr: string) {
    super(code, message);
    this.name = "GitError";
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

const stderrBytesMax = 64 * 1024;
const killGraceMs = 2000;

/**
 * Runs git with the hardened settings and environment, never through a shell. Throws GitError on any exit code but 0,
 * and the signal's reason when it aborts. The command's whole process group ends before the promise settles.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  options.signal?.throwIfAborted();
  const child = spawn("git", [...gitSettings, ...(options.settings ?? []), ...args], {
    cwd: options.cwd,
    env: toProcessEnv({ ...gitEnvironment(options.env), ...options.variables }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const limit = options.outputBytesMax ?? 64 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = "";
  let ended: "timeout" | "aborted" | "overflow" | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (why: "timeout" | "aborted" | "overflow") => {
    if (ended !== null) return;
    ended = why;
    // SIGTERM first: git then removes its lock files and half-written packs.
    signalGroup(child, "SIGTERM");
    killTimer = setTimeout(() => signalGroup(child, "SIGKILL"), killGraceMs);
  };
  const timeoutMs = options.timeoutMs ?? 120_000;
  const timer = new AwakeTimer(timeoutMs, () => end("timeout"));
  const onAbort = () => end("aborted");
  options.signal?.addEventListener("abort", onAbort, { once: true });

  child.stdout.on("data", (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size > limit) end("overflow");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-stderrBytesMax);
  });
  // A command that does not read all its input closes the pipe; only its exit code counts.
  pipeline(inputOf(options.stdin), child.stdin).catch(() => undefined);

  try {
    const exit = await exitOf(child);
    if (exit.failure !== null) {
      throw new GitError("git_missing", `git could not be started: ${exit.failure.message}`, null, "");
    }
    const name = args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
    if (ended === "aborted") options.signal?.throwIfAborted();
    if (ended === "timeout") {
      throw new GitError("git_timeout", `git ${name} took longer than ${timeoutMs} ms.`, null, maskCredentials(stderr));
    }
    if (ended === "overflow" && options.overflow !== "cut") {
      throw new GitError("git_failed", `git ${name} wrote more than ${limit} bytes.`, null, maskCredentials(stderr));
    }
    const isAnswer = exit.code === 0 || (exit.code === 1 && options.mayAnswerOne === true);
    if (!isAnswer && ended !== "overflow") {
      const said = summarize(stderr) || (exit.code === null ? "was ended by a signal" : `exit code ${exit.code}`);
      throw new GitError("git_failed", `git ${name}: ${said}`, exit.code, maskCredentials(stderr));
    }
    return {
      stdout: Buffer.concat(chunks),
      stderr: maskCredentials(stderr),
      cut: ended === "overflow",
      exitCode: exit.code,
    };
  } finally {
    timer.stop();
    clearTimeout(killTimer);
    options.signal?.removeEventListener("abort", onAbort);
  }
}

/** runGit for commands whose output is a short text: stdout without the last line feed. */
export async function readGit(
  args: readonly string[],
  options: GitOptions,
  encoding: BufferEncoding = "utf8",
): Promise<string> {
  const { stdout } = await runGit(args, options);
  return stdout.toString(encoding).replace(/\n$/, "");
}

/** Whether the answer of a git command that asks is yes: exit code 0, and not 1. */
export async function askGit(args: readonly string[], options: GitOptions): Promise<boolean> {
  return (await runGit(args, { ...options, mayAnswerOne: true })).exitCode === 0;
}

/** For `catch`: null if git ran and failed. */
export function unlessFailed(error: unknown): null {
  if (error instanceof GitError && error.exitCode !== null) return null;
  throw error;
}

/** runGit for commands whose output is a list, each item ended by NUL (`-z`): at most 512 MB of it. By default one character a byte. */
export async function listGit(
  args: readonly string[],
  options: GitOptions,
  encoding: BufferEncoding = "latin1",
): Promise<string[]> {
  const { stdout } = await runGit(args, { outputBytesMax: 512 * 1024 * 1024, ...options });
  return stdout.toString(encoding).split("\0").slice(0, -1);
}

/** The text with user names and passwords in URLs replaced by `***`. */
export function maskCredentials(text: string): string {
  // The scheme is looked for backward: forward, a long word would be read again from each of its letters.
  return text.replace(/(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, "***@");
}

function inputOf(stdin: GitOptions["stdin"]): Readable {
  if (stdin instanceof Readable) return stdin;
  return Readable.from(stdin === undefined || stdin.length === 0 ? [] : [stdin]);
}

/** Signals a process that was started as the leader of its group, with its descendants in it. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; failure: Error | null }> {
  return new Promise((resolve) => {
    child.once("error", (failure) => resolve({ code: null, failure }));
    child.once("close", (code) => resolve({ code, failure: null }));
  });
}

/**
 * git's message in one line of at most 500 characters, without hints, warnings, `fatal:` and messages of the server: a
 * repository's address may lead anywhere, and answers from there must not be passed on.
 */
function summarize(stderr: string): string {
  const lines = maskCredentials(stderr)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(hint:|warning:|remote:|Please make sure|and the repository exists)/.test(line))
    .map((line) =>
      line.replace(/^(fatal|error): /, "").replace(/^(remote error: |.*invalid server response; got ).*/, "$1…"),
    );
  return [...new Set(lines)].join("; ").slice(0, 500);
}

import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { type Environment, toProcessEnv } from "./environment.ts";
import { runProgram } from "./run-program.ts";

/**
 * A PID namespace over the file system as it is: when its first process ends, the kernel ends all others, whatever they did to
 * escape; and it ends with the process that started it. It is a leash, not a wall: files, network and privileges are those of the
 * service (except that set-user-id programs such as sudo gain nothing inside).
 */
const flags = ["--die-with-parent", "--unshare-pid", "--dev-bind", "/", "/"];
const ownProc = ["--proc", "/proc"];

/**
 * The flags with which the bubblewrap on `env.PATH` works here, or null if it is missing or not permitted. Containers that forbid a
 * new /proc get a namespace with the old one. It is tried at each call, which starts it once or twice.
 */
export async function findBubblewrapFlags(env: Environment): Promise<string[] | null> {
  if (process.platform !== "linux") return null;
  const how = { limitMs: 10_000, env: toProcessEnv({ PATH: env.PATH ?? "" }) };
  for (const proc of [ownProc, []]) {
    const wanted = [...flags, ...proc];
    if ((await runProgram("bwrap", [...wanted, "--", "true"], how)).isDone) return wanted;
  }
  return null;
}

/** A PID namespace held open: until it is released, the kernel does not reuse its id. */
export interface HeldNamespace {
  id: string;
  release(): void;
}

/**
 * The PID namespace of a bubblewrap that was started with `--info-fd`, from what it writes there. null when it never got that far or
 * everything in it has ended already.
 */
export async function holdNamespace(info: Readable): Promise<HeldNamespace | null> {
  let text = "";
  try {
    for await (const chunk of info) {
      text += String(chunk);
      if (!text.includes("}")) continue;
      const reported = /"pid-namespace":\s*(\d+)/.exec(text)?.[1];
      return hold(Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]), reported);
    }
  } catch {
    // The pipe broke: nothing was started.
  }
  return null;
}

/** `pid` is the namespace's first process, with which all others end. Its id may have been reused by now. */
function hold(pid: number, reported: string | undefined): HeldNamespace | null {
  try {
    const file = openSync(`/proc/${pid}/ns/pid`, "r");
    const found = fstatSync(file).ino;
    if (found !== statSync("/proc/self/ns/pid").ino && (reported === undefined || found === Number(reported))) {
      return { id: `pid:[${found}]`, release: () => closeSync(file) };
    }
    closeSync(file);
  } catch {
    // It has ended.
  }
  return null;
}

import { closeSync, readdirSync, readFileSync } from "node:fs";

/** The flag O_CLOEXEC, as the kernel shows it: no program that this process starts gets such a file. */
const closesAtExec = 0o2000000;

/**
 * Closes files that were left open by whatever started this process, except the standard ones. All programs that it starts would
 * inherit them, including agents behind the wall, and from an open folder any path can be reached. Node closes only the first of
 * them. Call it before anything is opened. Linux only.
 */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd").filter((one) => Number(one) > 2)) {
    const flags = flagsOf(name);
    if (flags !== null && (flags & closesAtExec) === 0) closeSync(Number(name));
  }
}

/** null for a file that is already closed, such as the folder just listed. */
function flagsOf(name: string): number | null {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${name}`, "latin1");
    return Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(text)?.[1] ?? "", 8);
  } catch {
    return null;
  }
}

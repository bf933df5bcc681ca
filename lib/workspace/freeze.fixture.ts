import type { ContainOptions } from "./contain.ts";

/** A tree that starts a process every few milliseconds; each writes to the file `busy` in the folder. */
export function busyTree(folder: string): ContainOptions {
  const script = "echo up; while :; do (echo x >> busy; sleep 0.02; echo y >> busy) & sleep 0.005; done";
  return { dataDir: folder, command: "sh", args: ["-c", script], cwd: folder, env: { PATH: process.env.PATH ?? "" } };
}

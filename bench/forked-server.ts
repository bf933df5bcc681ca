import { type ChildProcess, fork } from "node:child_process";

/** A server of the measurements in a process of its own. */
export type ForkedServer = { url: string; child: ChildProcess; stop(): Promise<void> };

/** Starts `file` and waits for its address, which it sends as text or as the product's own ready message. */
export async function forkServer(
  file: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> },
): Promise<ForkedServer> {
  const child = fork(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message: string | { kind: string; url?: string; message?: string }) => {
      if (typeof message === "string") resolve(message);
      else if (message.url !== undefined) resolve(message.url);
      else reject(new Error(message.message ?? "The server did not start."));
    });
    child.once("exit", (code) => reject(new Error(`${file} ended (exit ${code})`)));
  });
  return {
    url,
    child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

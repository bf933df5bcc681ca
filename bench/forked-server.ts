import { fork } from "node:child_process";
import type { ChildMessage } from "#lib/supervised.ts";
import { processorMs } from "./processor-time.ts";

/** A server under measurement, in its own process. */
export type ForkedServer = {
  url: string;
  pid: number | undefined;
  /** Processor time that its process has used so far, all threads. Linux only. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts `file` with Node's `flags` and waits for its address, which it sends as text or as the product's own ready message. */
export async function forkServer(
  file: string,
  { args = [], env = {}, flags = [] }: { args?: string[]; env?: Record<string, string>; flags?: readonly string[] },
): Promise<ForkedServer> {
  const child = fork(file, args, {
    env: { ...process.env, ...env },
    execArgv: [...flags],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message: string | ChildMessage) => {
      if (typeof message === "string") resolve(message);
      else if (message.kind === "ready" && message.listening !== null) resolve(message.listening.url);
      else reject(new Error(message.kind === "fatal" ? message.message : "The server does not listen."));
    });
    child.once("exit", (code) => reject(new Error(`${file} ended (exit ${code})`)));
  });
  return {
    url,
    pid: child.pid,
    cpuMs: () => processorMs(child.pid),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

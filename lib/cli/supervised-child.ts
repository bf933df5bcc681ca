import { type ChildProcess, fork } from "node:child_process";
import type { ChildMessage, Listening, SupervisorMessage } from "#lib/supervised.ts";

type Options = {
  name: string;
  entry: string;
  /** Evaluated at every start. */
  env: () => NodeJS.ProcessEnv;
  execArgv: string[];
  onReady: (listening: Listening | null) => void;
  /** The child was never ready, and said in one line why it cannot work, or cannot be started. */
  onFatal: (message: string) => void;
  onRestart: (message: string) => void;
  /** It ended without being asked to, before it is started again. */
  onEnd?: () => void;
  /** The answer to a request for the lines about signing in. */
  onSignIn?: (lines: string) => void;
};

const restartMsMin = 500;
/** For a child that was ready: people may be waiting for it, and a run whose engine ended. */
const restartMsMax = 2000;
/** For one that never was ready: nobody waits for it yet, and it may need somebody's help. */
const firstStartMsMax = 30_000;
/** For a child that was ready this long before it ended, the delays start over. */
const steadyMs = 10_000;

/**
 * One child of the supervisor: restarted when it ends unexpectedly, also at its first start, with delays that grow from 0.5
 * to 2 s, or to 30 s until it has been ready once.
 */
export class SupervisedChild {
  readonly #options: Options;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #restartMs = restartMsMin;
  #ready = false;
  #stopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    const { entry, env, execArgv, name } = this.#options;
    let readyAt: number | null = null;
    const child = fork(entry, [], { env: env(), execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#child = child;
    child.on("message", (message: ChildMessage | { kind?: undefined }) => {
      // Node's watch mode uses the same channel to report the files it has seen.
      if (message.kind === undefined) return;
      if (message.kind === "ready") {
        this.#ready = true;
        readyAt = Date.now();
        this.#options.onReady(message.listening);
      } else if (message.kind === "sign_in") this.#options.onSignIn?.(message.lines);
      else if (this.#ready) this.#options.onRestart(`the ${name} process cannot run: ${message.message}`);
      else this.#fatal(message.message);
    });
    child.on("error", (error) => {
      // Other errors of a running child (a message that was not sent) do not end it.
      if (child.pid !== undefined) return;
      if (this.#ready) this.#startAgain(`cannot be started (${error.message})`);
      else this.#fatal(`the ${name} process cannot be started (${error.message})`);
    });
    child.on("exit", (code, signal) => {
      if (this.#stopping) return;
      this.#options.onEnd?.();
      if (readyAt !== null && Date.now() - readyAt > steadyMs) this.#restartMs = restartMsMin;
      this.#startAgain(`ended (${signal ?? `exit ${code}`})`);
    });
  }

  /** Tells it something, unless it is not there. */
  send(message: SupervisorMessage): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  #startAgain(why: string): void {
    this.#child = null;
    if (this.#stopping) return;
    const delayMs = Math.min(this.#restartMs, this.#ready ? restartMsMax : firstStartMsMax);
    this.#restartMs = delayMs * 2;
    this.#options.onRestart(`the ${this.#options.name} process ${why}; restarting it in ${delayMs} ms`);
    this.#timer = setTimeout(() => this.start(), delayMs);
  }

  /** Asks it to stop, kills it after `graceMs`; resolves when it is gone. */
  stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
      child.kill("SIGTERM");
    });
  }

  #fatal(message: string): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#options.onFatal(message);
  }
}

import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

const program = join(import.meta.dirname, "main.ts");
const clock = join(import.meta.dirname, "clock-under-test.ts");

/**
 * The whole engine as the service starts it, in a process of its own that a test kills as a power cut would, and on a clock that
 * the test puts forward. It may call stand-ins on this machine; its agents are on the leash.
 */
export class KilledEngine {
  readonly #dataDir: string;
  readonly #settings: Record<string, string>;
  #child: ChildProcess | null = null;
  #aheadMs = 0;

  constructor(t: TestContext, dataDir: string, settings: Record<string, string>) {
    this.#dataDir = dataDir;
    this.#settings = settings;
    t.after(() => this.kill());
  }

  get isAlive(): boolean {
    return this.#child !== null;
  }

  /** Resolves when it is at work. */
  async start(): Promise<void> {
    const child = fork(program, [String(this.#aheadMs)], {
      execArgv: ["--import", clock],
      env: {
        NODE_ENV: "production",
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: this.#dataDir,
        ERRAND_DATA_DIR: this.#dataDir,
        ERRAND_ISOLATION: "leash",
        ERRAND_LOG_LEVEL: "silent",
        ERRAND_OUTBOUND_ALLOW: "127.0.0.1",
        ERRAND_PUBLIC_URL: "http://errand.test",
        ERRAND_SANDBOX: "process-group",
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
        ...this.#settings,
      },
    });
    this.#child = child;
    const [told] = await once(child, "message");
    assert.equal(told.kind, "ready", JSON.stringify(told));
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const gone = once(child, "exit");
    if (child.kill("SIGKILL")) await gone;
  }

  /** Puts its clock forward. */
  advance(ms: number): void {
    this.#aheadMs += ms;
    this.#child?.send({ aheadMs: this.#aheadMs });
  }
}

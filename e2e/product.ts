import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ownRoot = join(import.meta.dirname, "..");
const cli = join("lib", "cli", "main.ts");
const nodeOf = (root: string) => join(root, "node_modules", ".bin", "node");
const readyMs = 60_000;

/** Journeys of a worker share one token and one session, and send in seconds what a person sends in an hour. */
const wideRates = {
  ERRAND_RATE_STANDARD: "10000",
  ERRAND_RATE_LOGS: "10000",
  ERRAND_RATE_CREATE: "1000",
  ERRAND_RATE_SETUP: "1000",
  ERRAND_RATE_ANALYSIS: "1000",
  ERRAND_RATE_EDIT: "1000",
};

/** The built product, started as `npm start` does, on a free port and its own data folder. */
export class Product {
  readonly url: string;
  readonly signInLink: string;
  /** What it has printed for the person who started it. */
  readonly greeting: string;
  #isLinkUsed = false;
  readonly dataDir: string;
  readonly #root: string;
  readonly #child: ChildProcess;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #said: string[];

  private constructor(
    child: ChildProcess,
    dataDir: string,
    environment: NodeJS.ProcessEnv,
    { output, said, root }: { output: string; said: string[]; root: string },
  ) {
    this.#root = root;
    this.#said = said;
    this.#child = child;
    this.#environment = environment;
    this.dataDir = dataDir;
    this.greeting = output;
    this.url = matchOf(output, /ready at (\S+)/);
    this.signInLink = matchOf(output, /(\S+\/login\?code=\S+)/);
  }

  /**
   * `agents` is written to the data folder as `agents.json`; `backup` is a file of `errand backup` that it begins from; `root` is
   * the built checkout that is started, by default this one.
   */
  static async start(
    settings: Record<string, string> = {},
    agents?: object,
    backup?: string,
    root = ownRoot,
  ): Promise<Product> {
    const node = nodeOf(root);
    const dataDir = await mkdtemp(join(tmpdir(), "errand-e2e-"));
    if (backup !== undefined) {
      const env = { ...process.env, ERRAND_DATA_DIR: dataDir };
      await promisify(execFile)(node, [cli, "restore", backup], { cwd: root, env });
    }
    if (agents !== undefined) await writeFile(join(dataDir, "agents.json"), JSON.stringify(agents));
    const environment = {
      ...process.env,
      NODE_ENV: "production" as const,
      PORT: "0",
      HOST: "127.0.0.1",
      ERRAND_DATA_DIR: dataDir,
      ERRAND_LOG_LEVEL: "warn",
      // Lets the product call servers of the journeys as if they were on the internet.
      ERRAND_OUTBOUND_ALLOW: "127.0.0.1",
      ...wideRates,
      ...settings,
    };
    const child = spawn(node, [cli, "start"], { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const said: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => void said.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => {
      said.push(chunk.toString());
      process.stderr.write(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready within ${readyMs} ms: ${output}`)), readyMs);
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (!output.includes("/login?code=") || !output.endsWith("\n")) return;
        clearTimeout(timer);
        resolve();
      });
      child.once("exit", (code) => reject(new Error(`ended at its start (exit ${code}): ${output}`)));
    });
    return new Product(child, dataDir, environment, { output, said, root });
  }

  /** A link that signs in once: the one it printed at its start, and a new one, which takes a process, each further time. */
  async takeSignInLink(): Promise<string> {
    if (this.#isLinkUsed) return this.cli("login");
    this.#isLinkUsed = true;
    return this.signInLink;
  }

  /** Everything that its processes have written to standard output and standard error so far. */
  get output(): string {
    return this.#said.join("");
  }

  /** Runs a command of the CLI on the same data folder. Returns its standard output without the last newline. */
  async cli(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(nodeOf(this.#root), [cli, ...words], {
      cwd: this.#root,
      env: this.#environment,
    });
    return stdout.trimEnd();
  }

  /** The three processes of the service. Linux only. */
  async processes(): Promise<{ name: "supervisor" | "web" | "engine"; pid: number }[]> {
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "--ppid", String(this.#child.pid)]);
    const pidOf = (entry: string) => {
      const line = stdout.split("\n").find((text) => text.includes(entry));
      if (line === undefined) throw new Error(`${entry} is not at work: ${stdout}`);
      return Number.parseInt(line, 10);
    };
    return [
      { name: "supervisor", pid: this.#child.pid ?? 0 },
      { name: "web", pid: pidOf("lib/web/main.ts") },
      { name: "engine", pid: pidOf("lib/engine/main.ts") },
    ];
  }

  /** Stops it as a service manager does. Returns the milliseconds it took. */
  async stop(): Promise<number> {
    const startedAt = Date.now();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGTERM");
      await gone;
    }
    const tookMs = Date.now() - startedAt;
    await rm(this.dataDir, { recursive: true, force: true });
    return tookMs;
  }
}

function matchOf(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return found;
}

import { mkdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentProfile, ContainedProcess, StartAgent, UserFile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { WayOut } from "#lib/egress/way-out.ts";
import { isWithin } from "#lib/is-within.ts";
import { Lru } from "#lib/lru.ts";
import { findBubblewrapFlags } from "#lib/workspace/bubblewrap.ts";
import { type CarriedFile, carryFiles } from "#lib/workspace/carry-files.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { type Contained, startContained } from "#lib/workspace/contain.ts";
import { freeze, thaw } from "#lib/workspace/freeze.ts";
import type { AgentUser } from "#lib/workspace/hand-over.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import { wallLimits } from "#lib/workspace/limits.ts";
import { type UseLimits, watchUse } from "#lib/workspace/use-watch.ts";
import {
  prepareForWall,
  type WallNetwork,
  type WallOptions,
  wallEnvironment,
  wallPlaces,
} from "#lib/workspace/wall.ts";
import { probeWall, type WallState } from "#lib/workspace/wall-probe.ts";
import { checkoutEnvironment } from "./checkout-environment.ts";
import type { RunNetwork } from "./run-network.ts";
import type { SetupNetwork } from "./setup-network.ts";

/** Settings for creating enclosures. */
export type EnclosureSettings = {
  dataDir: string;
  /** The service's own environment. */
  environment: Record<string, string>;
  sandbox: "auto" | "bubblewrap" | "process-group";
  /** The user that agents run as behind the wall if the service is root. */
  agentUser: AgentUser | null;
  /** Paths that all agents may read behind the wall. */
  readable: readonly string[];
  /** Limits of one run behind the wall; the defaults are wallLimits. */
  memoryBytes?: number;
  processes?: number;
  diskLeftBytes?: number;
  diskMostBytes?: number;
};

/** Where the processes of one turn work. */
export type Enclosure = {
  /** The checkout, and the data folder of the run's agent, as the processes see them. */
  cwd: string;
  agentHome: string;
  /** Starts an agent's process with its whole process tree contained. */
  spawn: StartAgent["spawn"];
  /** Starts a shell with a script in the checkout. Its stdout includes its stderr. It begins once its stdin has ended. */
  startShell(script: string): Promise<ContainedProcess>;
  /** Copies back sign-in files that the agent has renewed. No process may be active inside. Can be repeated. Never throws. */
  leave(): Promise<void>;
  /** Prepares it for one more turn of its stopped processes; false if what they were given is outdated. */
  resume(): Promise<boolean>;
};

/** One turn, for its enclosure. */
type EnclosedTurn = {
  runId: number;
  checkout: Checkout;
  profile: AgentProfile;
  isolation: Isolation;
  network: Pick<RunNetwork, "wayOut" | "environmentOf">;
  /** Way out and variables of the setup commands; null: the same as the agent's. */
  setup: Pick<SetupNetwork, "wayOut" | "variables"> | null;
  /** Layers mounted in its folders behind the wall; null: none. */
  layers: LayerSpace | null;
};

type Spawn = StartAgent["spawn"];
type Variables = Record<string, string>;

/** Creates the enclosures in which runs' processes work. */
export function createEnclosures(settings: EnclosureSettings) {
  const { dataDir, environment } = settings;
  const flags: FlagsByPath = new Lru({ count: 10 });
  return {
    /** The place in which the processes of one turn work. No process of the run may be alive. */
    enclose: async (turn: EnclosedTurn): Promise<Enclosure> => {
      const { runId, checkout, profile, isolation, network, setup, layers } = turn;
      const home = join(dataDir, "homes", String(runId));
      await mkdir(home, { recursive: true, mode: 0o700 });
      if (isolation === "leash") {
        const start = onLeash(settings, flags);
        const spawn: Spawn = (command, { cwd, env }) => start(command, { cwd, env: network.environmentOf(env) });
        const startShell = shellBy(start, checkout.path, environment, setup?.variables);
        const held = { leave: async () => undefined, resume: async () => true };
        return { cwd: checkout.path, agentHome: home, spawn, startShell, ...held };
      }
      const hidden = await hiddenFolders(dataDir);
      const programs = profile.mcpPrograms.map(({ command }) => namedIn(["", ...command], hidden));
      const named = (await Promise.all([namedIn(profile.command, hidden), ...programs])).flat();
      const wall: WallOptions = {
        checkout: checkout.path,
        home: await realpath(home),
        readable: [...settings.readable, ...profile.readable, ...named, ...certificatesOf(environment)],
        user: settings.agentUser,
        network: null,
        hidden,
        layers,
      };
      const files = filesOf(profile, environment, network.environmentOf({}));
      const { carryBack, areCurrent } = await carryFiles(files, wall.home);
      await prepareForWall(wall);
      const { wayOut } = network;
      // Only the shell waits for the way out: a setup command may need it at once, while an agent takes longer to start anyway.
      const ofAgent = inWall(settings, { ...wall, network: networkBy(wayOut, false) }, (env) =>
        network.environmentOf(withoutFolders(env, profile)),
      );
      const ofSetup = setup?.wayOut ?? wayOut;
      const ofShell = inWall(settings, { ...wall, network: networkBy(ofSetup, true) }, (env) => ({
        ...env,
        ...ofSetup?.environment,
      }));
      const { checkout: cwd, home: agentHome } = wallPlaces;
      return {
        cwd,
        agentHome,
        spawn: ofAgent,
        startShell: shellBy(ofShell, cwd, environment, setup?.variables),
        leave: carryBack,
        resume: async () => {
          if (!(await areCurrent())) return false;
          // Git wrote there as the service's user when it committed the last turn's work.
          await prepareForWall(wall);
          return true;
        },
      };
    },
    /** Whether the wall holds on this machine; fast once it has. */
    findWallState: onceItHolds(() => findState(settings)),
  };
}

/** Asks until it holds: what does not may be fixed while the service runs. */
export function onceItHolds(find: () => Promise<WallState>): () => Promise<WallState> {
  let found: Promise<WallState> | null = null;
  return async () => {
    found ??= find();
    const state = await found;
    if (!state.holds) found = null;
    return state;
  };
}

/** Whether the wall holds for a service with these settings. */
export async function findState({ dataDir, environment, sandbox, agentUser }: EnclosureSettings): Promise<WallState> {
  if (sandbox === "process-group") {
    const why = "ERRAND_SANDBOX=process-group keeps bubblewrap from being used.";
    return { holds: false, why, fix: "Start Errand without ERRAND_SANDBOX." };
  }
  await mkdir(dataDir, { recursive: true });
  return probeWall({ dataDir, env: environment, user: agentUser, hidden: await hiddenFolders(dataDir) });
}

/** The results of findBubblewrapFlags by PATH, since an agent may have a PATH of its own. */
type FlagsByPath = Lru<string, Promise<string[] | null>>;

function onLeash({ dataDir, sandbox }: EnclosureSettings, flags: FlagsByPath): Spawn {
  return async ([command = "", ...args], { cwd, env }) => {
    const own = { dataDir, command, args, cwd, env: checkoutEnvironment(cwd, env) };
    if (sandbox === "process-group") return contained(startContained({ ...own, mechanism: sandbox }));
    const bubblewrapFlags = await flags.obtain(env.PATH ?? "", () => findBubblewrapFlags(env));
    const mechanism = sandbox === "auto" ? undefined : sandbox;
    return contained(startContained({ ...own, mechanism, bubblewrapFlags }));
  };
}

function inWall(settings: EnclosureSettings, wall: WallOptions, environmentOf: (env: Variables) => Variables): Spawn {
  return async ([command = "", ...args], { cwd, env }) => {
    const { dataDir } = settings;
    const inside = checkoutEnvironment(cwd, environmentOf(wallEnvironment(env)));
    const own = { dataDir, command, args, cwd, env: inside, wall };
    const started = await startContained(own);
    void watchUse(started, limitsOf(settings, wall), (words) => {
      started.stderr.write(`Errand ended it: ${words}.\n`);
      // SIGKILL at once: during the grace period of a cancel it would go on. All its processes end with bubblewrap.
      started.child.kill("SIGKILL");
      started.kill().catch(() => undefined);
    });
    return processOf(started);
  };
}

function limitsOf(settings: EnclosureSettings, { checkout, home }: WallOptions): UseLimits {
  const leftBytes = settings.diskLeftBytes ?? wallLimits.diskLeftBytes;
  const mostBytes = settings.diskMostBytes ?? wallLimits.diskMostBytes;
  return {
    memoryBytes: settings.memoryBytes ?? wallLimits.memoryBytes,
    processes: settings.processes ?? wallLimits.processes,
    disk: { folders: [checkout, home], leftBytes, mostBytes },
  };
}

function networkBy(wayOut: WayOut | null, waits: boolean): WallNetwork | null {
  if (wayOut === null) return null;
  const { socket, readable } = wayOut;
  return { socket, bridge: wayOut.open(wallPlaces.egress, { waits }), readable: [process.execPath, ...readable] };
}

async function contained(starting: ReturnType<typeof startContained>): ReturnType<Spawn> {
  return processOf(await starting);
}

function processOf(started: Contained): ContainedProcess {
  const { stdin, stdout, stderr, exited } = started;
  let isFrozen = false;
  return {
    ...{ stdin, stdout, stderr, exited },
    // Stopped processes cannot use the grace period.
    kill: () => started.kill(isFrozen ? 0 : undefined),
    freeze: async () => {
      isFrozen = await freeze(started);
      return isFrozen;
    },
    thaw: async () => {
      isFrozen = false;
      await thaw(started);
    },
  };
}

/**
 * `variables` are passed on stdin, one line each, so that they are visible neither in the process nor in its arguments, nor in
 * those of bubblewrap.
 */
function shellBy(
  spawn: Spawn,
  cwd: string,
  environment: Variables,
  variables: Variables = {},
): Enclosure["startShell"] {
  return async (script) => {
    const env = agentEnvironment(environment, { env: {}, passEnv: [], homeVariable: null }, null);
    const shell = (await findCommand(["bash"], env.PATH ?? "")) ?? ["/bin/sh"];
    // Node's pipes are sockets, and bash with a socket as stdin assumes a remote login and reads ~/.bashrc.
    const reading = 'while IFS= read -r v; do export "$v"; done; unset v; exec </dev/null 2>&1; exec "$@"';
    const started = await spawn(["/bin/sh", "-c", reading, "sh", ...shell, "-e", "-c", script], { cwd, env });
    for (const [name, value] of Object.entries(variables)) started.stdin.write(`${name}=${value}\n`);
    return started;
  };
}

/** The folders hidden from runs: the data folder and the service user's home. Only what a run is given is visible in them. */
export async function hiddenFolders(dataDir: string): Promise<string[]> {
  const real = await Promise.all([dataDir, homedir()].map((path) => realpath(path).catch(() => null)));
  return real.flatMap((path) => (path === null || path === "/" ? [] : [path]));
}

/**
 * Files named in an agent's command, like `["python3", "/opt/agent/main.py"]`; for a script also its folder, whose files it may
 * use.
 */
async function namedIn([, ...args]: readonly string[], hidden: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    args.map(async (path) => {
      const real = path.startsWith("/") ? await realpath(path).catch(() => null) : null;
      if (real === null || !(await stat(real)).isFile()) return [];
      const folder = dirname(real);
      const isAlone = folder === "/" || hidden.some((secret) => isWithin(secret, folder));
      return isAlone || !/\.([cm]?[jt]s|py|rb|pl|php|sh)$/.test(path) ? [path] : [path, folder];
    }),
  );
  return found.flat();
}

/**
 * The files of the service's user that an agent is given. With a key it gets no sign-in: it needs none, and some agents would
 * prefer it.
 */
function filesOf({ signIn, settings, keys }: AgentProfile, environment: Variables, given: Variables): CarriedFile[] {
  const hasKey = keys.some(({ variable }) => given[variable] !== undefined);
  const carried = ({ file, folder, variable }: UserFile) => {
    const named = variable === null ? undefined : environment[variable];
    return { from: join(named ?? join(homedir(), folder), file), to: join(folder, file) };
  };
  return [
    ...settings.map((file) => ({ ...carried(file), renews: false })),
    ...signIn.map(carried).map(({ from, to }) => ({ from: hasKey ? null : from, to, renews: true })),
  ];
}

/** Without the variables that name folders of the service's user: the agent has its own in its home. */
function withoutFolders(env: Variables, { signIn, settings }: AgentProfile): Variables {
  const named = new Set([...signIn, ...settings].map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.has(name)));
}

function certificatesOf(environment: Record<string, string>): string[] {
  const names = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];
  return names.flatMap((name) => (environment[name]?.startsWith("/") ? [environment[name]] : []));
}

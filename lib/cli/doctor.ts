import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { access, constants, mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { Config } from "#lib/config.ts";
import { type RateName, rateSeconds } from "#lib/contract/rate-limits.ts";
import { machineWords } from "#lib/contract/runs/isolation-words.ts";
import { indexProgressOf, openStoreForCommand } from "#lib/runtime/commands.ts";
import { containmentOf, findLayersState, findMachineIsolation, probeAgents } from "#lib/runtime/machine.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { engineSeenMs } from "#lib/store/runs/queue-store.ts";
import { idleFolder } from "./known-store.ts";

type Finding = { name: string; ok: boolean; text: string };

/** `errand doctor`: one line per finding. Returns 0 if the service can work (missing agents and a service that is stopped do not count), otherwise 1. */
export async function doctor(config: Config, _words: []): Promise<number> {
  const needed = [
    await node(),
    await git(),
    await folder(config),
    await storeOf(config),
    await index(config),
    await secretKey(config),
    await sandbox(config),
    await wall(config),
    await prepared(config),
    limits(config),
  ];
  for (const finding of needed) print(finding);
  print(await service(config));
  process.stdout.write("\nagents\n");
  const readable = await printAgents(config);
  return readable && needed.every(({ ok }) => ok) ? 0 : 1;
}

/** False if the agents file cannot be used: no engine would start with it. */
async function printAgents(config: Config): Promise<boolean> {
  try {
    for (const agent of await probeAgents(config, AbortSignal.timeout(300_000))) {
      const version = agent.version === null ? "" : ` ${agent.version}`;
      const text = agent.state === "ready" ? `ready (${agent.title}${version})` : `${agent.reason}`;
      print({ name: agent.id, ok: agent.state === "ready", text });
    }
    return true;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "AgentsFileError") throw error;
    print({ name: "agents.json", ok: false, text: error.message });
    return false;
  }
}

function print({ name, ok, text }: Finding): void {
  process.stdout.write(`${ok ? "ok" : "--"}  ${name.padEnd(12)} ${text}\n`);
}

/** The configured rate limits of a token. */
function limits({ rates: { quotas, sessionFactor }, queueMax }: Config): Finding {
  const words = (Object.keys(rateSeconds) as RateName[]).map((name) =>
    quotas[name] === 0 ? `${name} unlimited` : `${name} ${quotas[name]} in ${rateSeconds[name]} s`,
  );
  words.push(
    sessionFactor === 0
      ? "no limits for browser sessions"
      : `browser sessions may make ${sessionFactor} times as many requests`,
  );
  words.push(queueMax === 0 ? "queue unlimited" : `queue ${queueMax}`);
  return { name: "limits", ok: true, text: words.join(", ") };
}

async function node(): Promise<Finding> {
  const major = Number(process.versions.node.split(".")[0]);
  return { name: "node", ok: major >= 24, text: `${process.version}${major >= 24 ? "" : "; 24 or newer is needed"}` };
}

async function git(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"], { timeout: 10_000 });
    return { name: "git", ok: true, text: stdout.trim().replace("git version ", "") };
  } catch {
    return { name: "git", ok: false, text: "was not found on PATH; install it" };
  }
}

async function folder({ dataDir }: Config): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK | constants.X_OK);
    return { name: "data folder", ok: true, text: dataDir };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return { name: "data folder", ok: false, text: `${dataDir} cannot be written (${reason}); set ERRAND_DATA_DIR` };
  }
}

async function storeOf(config: Config): Promise<Finding> {
  if (!existsSync(config.storeFile)) return { name: "store", ok: true, text: "none yet; the first start creates it" };
  try {
    const { store } = await openStoreForCommand(config);
    try {
      const problems = await store.check();
      return { name: "store", ok: problems.length === 0, text: problems[0] ?? "no damage found" };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { name: "store", ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a service works on the store. Does not affect the result: none does before the start, or while it is stopped. */
async function service(config: Config): Promise<Finding> {
  const name = "processes";
  const idle = { name, ok: false, text: idleFolder(config.dataDir) };
  if (!existsSync(config.storeFile)) return idle;
  try {
    const { store } = await openStoreForCommand(config);
    try {
      const engines = await store.queue.countEngines(engineSeenMs);
      return engines === 0 ? idle : { name, ok: true, text: `running (engines: ${engines})` };
    } finally {
      await store.close();
    }
  } catch {
    return { name, ok: false, text: "unknown: the store cannot be read" };
  }
}

/**
 * Whether stored secrets can be decrypted with the current key. `/readyz` does not check this: runs that need no secret work
 * without it.
 */
async function secretKey(config: Config): Promise<Finding> {
  const name = "secret key";
  try {
    const inUse = createSeal(config.secretKey).keyId();
    const others = (await sealKeyIdsOf(config)).filter((id) => id !== inUse);
    if (others.length === 0) {
      return {
        name,
        ok: true,
        text: inUse === null ? "none yet; the first secret creates it" : "decrypts every stored secret",
      };
    }
    const text =
      `stored secrets cannot be decrypted: they were encrypted with key ${others.join(", ")}, and ` +
      (inUse === null ? "there is no key" : `the key in use is ${inUse}`) +
      `. Put the earlier one back as ${config.secretKey.file} or in ERRAND_SECRET_KEY, or enter the secrets again. /readyz does not check this`;
    return { name, ok: false, text };
  } catch (error) {
    return { name, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function sealKeyIdsOf(config: Config): Promise<string[]> {
  if (!existsSync(config.storeFile)) return [];
  const { store } = await openStoreForCommand(config);
  try {
    return await store.sealKeyIds();
  } finally {
    await store.close();
  }
}

/** A lagging index is not an error: unindexed entries are searched anyway. */
async function index(config: Config): Promise<Finding> {
  const name = "search index";
  try {
    const progress = await indexProgressOf(config);
    if (progress === null) return { name, ok: true, text: "not created yet; the engine creates it" };
    const count = (entries: number) => entries.toLocaleString("en-US");
    const behind = progress.all - progress.indexed;
    const text = behind === 0 ? "up to date" : `${count(behind)} of ${count(progress.all)} entries behind`;
    return { name, ok: true, text };
  } catch (error) {
    return { name, ok: false, text: `${config.indexFile}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Needed only by those who require the wall. */
async function wall(config: Config): Promise<Finding> {
  const name = "wall";
  try {
    const machine = await findMachineIsolation(config);
    const { title, why, detail, command, advice, hint } = machineWords(machine);
    const lines = [`${title}.`, why, command === null ? null : `To fix this, run: ${command}`, advice, detail, hint];
    const text = lines.filter((line) => line !== null).join(`\n${" ".repeat(17)}`);
    return { name, ok: machine.holds || config.isolation !== "wall", text };
  } catch (error) {
    return { name, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** If layers cannot be mounted, runs only take longer to begin. */
async function prepared(config: Config): Promise<Finding> {
  const name = "setup cache";
  try {
    const state = await findLayersState(config);
    if (state === null) return { name, ok: true, text: "setup commands run again in every run: reuse needs the wall" };
    if (state.holds)
      return { name, ok: true, text: "runs behind the wall can start with the files of an earlier setup" };
    return { name, ok: true, text: `setup commands run again in every run: ${state.why} ${state.fix}` };
  } catch (error) {
    return { name, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function sandbox(config: Config): Promise<Finding> {
  const mechanism = await containmentOf(config);
  const wanted = config.sandbox === "auto" || config.sandbox === mechanism;
  const advice = mechanism === "process-group" ? "; install bubblewrap so that no agent process outlives its turn" : "";
  return {
    name: "sandbox",
    ok: wanted,
    text: wanted ? `${mechanism}${advice}` : "bubblewrap is missing here or not permitted",
  };
}

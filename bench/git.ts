import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { mintToken } from "#lib/auth/token-secret.ts";
import { webFlags } from "#lib/cli/start.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { ensureMirror } from "#lib/workspace/mirror.ts";
import { forkServer } from "./forked-server.ts";
import { median, print } from "./report.ts";

const exec = promisify(execFile);
const files = 200;
const rounds = 7;

/** `git fetch` of a repository of 200 MB through Errand, compared with `git http-backend` alone; in turns. */
export async function benchGit(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "errand-bench-git-"));
  try {
    const dataDir = join(folder, "data");
    const { token, repoId, mirror } = await seed(dataDir, join(folder, "source"));
    const env = { ERRAND_DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", ERRAND_LOG_LEVEL: "warn" };
    const servers = {
      bare: await forkServer(join(import.meta.dirname, "servers/git-backend.ts"), { args: [mirror] }),
      errand: await forkServer(join(import.meta.dirname, "../lib/web/main.ts"), { env, flags: webFlags }),
    };
    try {
      const authorization = `http.extraHeader=Authorization: Bearer ${token}`;
      const fetchers = {
        bare: () => fetchInto(folder, [], servers.bare.url, "refs/remotes/origin/main"),
        errand: () => fetchInto(folder, ["-c", authorization], `${servers.errand.url}/git/1/${repoId}.git`, "main"),
      };
      await fetchers.bare();
      await fetchers.errand();
      const times: Record<keyof typeof fetchers, number[]> = { bare: [], errand: [] };
      const before = { bare: await servers.bare.cpuMs(), errand: await servers.errand.cpuMs() };
      for (let round = 0; round < rounds; round += 1) {
        const order = round % 2 === 0 ? (["bare", "errand"] as const) : (["errand", "bare"] as const);
        for (const name of order) times[name].push(await fetchers[name]());
      }
      const bareMs = ((await servers.bare.cpuMs()) - before.bare) / rounds;
      const errandMs = ((await servers.errand.cpuMs()) - before.errand) / rounds;
      const ratios = times.bare.map((ms, round) => ms / (times.errand[round] ?? ms));
      print(`git fetch of ${files} MB (${rounds} of each, in turns; bound: 0.8 of git http-backend alone)`, [
        ["git http-backend alone", `${median(times.bare).toFixed(0)} ms`],
        ["through Errand", `${median(times.errand).toFixed(0)} ms`, `speed ${median(ratios).toFixed(2)} of that`],
        ["processor time of the server, without git", `${bareMs.toFixed(0)} and ${errandMs.toFixed(0)} ms a fetch`],
      ]);
    } finally {
      await Promise.all([servers.bare.stop(), servers.errand.stop()]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchInto(folder: string, settings: string[], address: string, branch: string): Promise<number> {
  const clone = await mkdtemp(join(folder, "clone-"));
  await exec("git", ["init", "--quiet", "--bare", clone]);
  const from = performance.now();
  await exec("git", [...settings, "fetch", "--quiet", address, `${branch}:refs/heads/main`], { cwd: clone });
  const ms = performance.now() - from;
  await rm(clone, { recursive: true, force: true });
  return ms;
}

/** A store with a token, and the mirror of a source whose files cannot be compressed. */
async function seed(dataDir: string, source: string) {
  await mkdir(dataDir, { recursive: true });
  await mkdir(source);
  const git = (...args: string[]) =>
    exec("git", ["-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...args], { cwd: source });
  await git("init", "--quiet", "--initial-branch=main");
  for (let index = 0; index < files; index += 1) {
    await writeFile(join(source, `file-${index}.bin`), randomBytes(1_000_000));
  }
  await git("-c", "core.compression=0", "add", "--all");
  await git("commit", "--quiet", "-m", "Begin");
  const store = await openStore({ file: join(dataDir, "errand.db") });
  try {
    const access = await store.organizations.ensureFirst({ organization: "Bench", fullName: "Bench", email: null });
    const { secret, hash, hint } = mintToken();
    const rights = { role: "owner", scopes: scopesOf("owner"), statusStyle: "errand", expiresAt: null } as const;
    await store.tokens.create(access, { name: "bench", hint, hash, ...rights });
    const added = { name: "source", fullName: "source", description: null, source, defaultBranch: "main" };
    const { repository } = await store.repositories.add(access, added);
    const mirror = await ensureMirror({ dataDir, repoId: repository.id, source, env: process.env });
    return { token: secret, repoId: repository.id, mirror: mirror.path };
  } finally {
    await store.close();
  }
}

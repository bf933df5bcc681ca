import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";

/** The environment of a command on a data folder. */
export function envOf(dataDir: string) {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  return { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test" as const, HOME: "", ERRAND_DATA_DIR: dataDir };
}

/** A command of the CLI on a data folder; stopped if it does not end, as a service would not. */
export function errand(
  dataDir: string,
  ...words: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const options = { env: envOf(dataDir), timeout: 300_000 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], options, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** A data folder with a store, a mirror, agents and a key. */
export async function openFolder(t: TestContext) {
  const dataDir = join(temporaryFolder(t), "data");
  mkdirSync(dataDir);
  const store = await openStore({ file: join(dataDir, "errand.db") });
  t.after(() => store.close().catch(() => undefined));
  const names = { organization: "Test", fullName: "Test", email: null };
  const { organizationId, userId } = await store.organizations.ensureFirst(names);
  const access = { organizationId, userId };
  const run = await store.runs.create(access, plainRun("Elsewhere", { agent: "external" }));
  mkdirSync(join(dataDir, "mirrors"));
  makeRepository(join(dataDir, "source"));
  git(dataDir, "clone", "--quiet", "--bare", "source", "mirrors/1.git");
  writeFileSync(join(dataDir, "agents.json"), "{}\n");
  writeFileSync(join(dataDir, "secret.key"), "0123456789abcdef\n", { mode: 0o600 });
  const folder = temporaryFolder(t);
  return { dataDir, store, access, run, folder };
}

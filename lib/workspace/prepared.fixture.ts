import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { attachPrepared, type RunFolders } from "./attached-layers.ts";
import { type Checkout, createCheckout } from "./checkout.ts";
import { startContained } from "./contain.ts";
import type { AgentUser } from "./hand-over.ts";
import type { LayerSpace } from "./layers.ts";
import { type Keeping, keepPrepared, type PreparedPlace, preparedPath } from "./prepared-checkouts.ts";
import { removeTree } from "./remove-checkout.ts";
import { makeRepository, temporaryFolder, testEnv } from "./test-repository.ts";
import { prepareForWall, type WallOptions, wallEnvironment } from "./wall.ts";

/** A run of a scene: its folders, and its checkout. */
export type SceneRun = { folders: RunFolders; checkout: Checkout };

/** A data folder with a repository, whose runs are prepared by a script or from another run's prepared checkout. */
export function openScene(t: TestContext, user: AgentUser | null, files: Record<string, string> = {}) {
  // A name with a space; removed as the service does, because overlays leave folders that nobody may read.
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "errand data ")));
  t.after(() => removeTree(dataDir));
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "node_modules/\n.env\n*.local\n", "packages/a/file": "a\n", ...files });
  // A separate key, because the check for mounts covers all processes of the machine, even those of other tests.
  const place: PreparedPlace = { dataDir, repositoryId: 1, key: randomBytes(32).toString("hex") };
  const open = async (runId: number): Promise<SceneRun> => {
    const checkout = await createCheckout({ dataDir, runId, repoId: 1, source, baseBranch: null, env: testEnv });
    const home = join(dataDir, "homes", String(runId));
    mkdirSync(home, { recursive: true });
    return { checkout, folders: { dataDir, runId, checkout: checkout.path, home: realpathSync(home), env: testEnv } };
  };
  /** The output of a script in the run's wall. */
  const say = async ({ folders: { checkout, home } }: SceneRun, layers: LayerSpace | null, script: string) => {
    const wall: WallOptions = { checkout, home, readable: [], user, network: null, hidden: [dataDir], layers };
    await prepareForWall(wall);
    const env = wallEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin" });
    const args = ["-c", script];
    const { stdin, stdout, stderr, kill } = await startContained({
      dataDir,
      command: "/bin/bash",
      args,
      cwd: checkout,
      env,
      wall,
    });
    stdin.end();
    const said = await Promise.all([text(stdout), text(stderr)]);
    await kill();
    return said.join("");
  };
  const keep = async (
    run: SceneRun,
    more: { secrets?: string[]; bytesMax?: number; leftBytes?: number; begunAt?: number } = {},
  ): Promise<Keeping> =>
    keepPrepared({
      ...{ place, tree: "tree", checkout: run.checkout, home: run.folders.home, env: testEnv },
      ...{
        secrets: [],
        bytesMax: 1e9,
        leftBytes: 0,
        begunAt: Date.now(),
        signal: AbortSignal.timeout(600_000),
        ...more,
      },
    });
  const attach = async (run: SceneRun) => {
    const attached = await attachPrepared(run.folders, place);
    if (attached !== null) t.after(() => attached.space.close());
    return attached;
  };
  const kept = join(dataDir, preparedPath(place));
  return { dataDir, source, place, kept, open, say, keep, attach };
}

/**
 * A setup script that makes a large ignored folder with a hard link and an executable file, small folders, a single file and a
 * package cache.
 */
export const setupScript = (files = 400) => `
mkdir -p node_modules/dep/bin packages/a/node_modules ~/.npm/_cacache
for n in $(seq ${files}); do echo "module $n" > node_modules/dep/$n.js; done
head -c 1500000 /dev/zero > node_modules/dep/large
ln node_modules/dep/1.js node_modules/dep/link.js
printf '#!/bin/sh\\necho ran\\n' > node_modules/dep/bin/tool; chmod +x node_modules/dep/bin/tool
ln -s ../../../node_modules/dep packages/a/node_modules/dep
echo VARIABLE=1 > .env
for n in $(seq 250); do echo $n > ~/.npm/_cacache/$n; done`;

/** A hash of everything below a folder: names, kinds, modes, owners and contents. */
export function hashOf(folder: string): string {
  const hash = createHash("sha256");
  const visit = (path: string) => {
    const found = lstatSync(path);
    hash.update(`${path.slice(folder.length)}\0${found.mode}\0${found.uid}\0${found.gid}\0${found.mtimeMs}\0`);
    if (found.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(found.isSymbolicLink() ? readlinkSync(path) : readFileSync(path));
  };
  visit(folder);
  return hash.digest("hex");
}

import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findExecutable } from "#lib/find-executable.ts";
import type { Environment } from "./environment.ts";
import type { AgentUser } from "./hand-over.ts";
import { type LayerSpace, openLayers } from "./layers.ts";
import { removeTree } from "./remove-checkout.ts";
import { prepareForWall } from "./wall.ts";
import { tryWall, type WallState } from "./wall-probe.ts";

/**
 * Whether layers can be mounted for runs behind the wall on this machine: tries it in the data folder with the same arguments as
 * for runs. The wall must work.
 */
export async function probeLayers(options: {
  dataDir: string;
  env: Environment;
  user: AgentUser | null;
  hidden: readonly string[];
}): Promise<WallState> {
  const { dataDir, env, user, hidden } = options;
  for (const program of ["unshare", "nsenter", "mount"]) {
    if ((await findExecutable(program, env.PATH)) !== null) continue;
    return { holds: false, why: `The program ${program} is not installed.`, fix: "sudo apt install util-linux mount" };
  }
  await mkdir(dataDir, { recursive: true });
  const data = await realpath(dataDir);
  const folder = await mkdtemp(join(data, "layers-probe-"));
  const own = basename(folder);
  let layers: LayerSpace | null = null;
  try {
    const wall = { checkout: join(folder, "checkout"), home: join(folder, "home"), readable: [], user, network: null };
    const at = join(wall.checkout, "layer");
    await mkdir(join(wall.checkout, ".git/objects"), { recursive: true });
    for (const path of [at, wall.home, ...["lower", "upper", "work"].map((name) => join(folder, name))]) {
      await mkdir(path, { recursive: true });
    }
    await writeFile(join(folder, "lower/kept"), "kept\n");
    await prepareForWall({ ...wall, hidden, home: join(folder, "upper") });
    await prepareForWall({ ...wall, hidden });
    layers = await openLayers({ dataDir: data, layers: [{ lower: `${own}/lower`, own, at }], env });
    const script =
      "read -r kept < layer/kept && test $kept = kept && rm layer/kept && mkdir layer/kept && test ! -e lower";
    const said = await tryWall({ ...wall, hidden, layers }, { dataDir: data, env }, script);
    return said === null ? { holds: true } : { holds: false, why: said, fix: fixFor(said) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { holds: false, why, fix: fixFor(why) };
  } finally {
    await layers?.close();
    await removeTree(folder);
  }
}

/** What to do so that layers can be mounted, derived from the error message. */
function fixFor(said: string): string {
  if (/^unshare|cannot open|operation not permitted/i.test(said)) {
    return "Allow user namespaces for the user Errand runs as (on Ubuntu: for the program unshare), or run Errand as root.";
  }
  return "Keep the data folder on a file system that overlays can be written to (ext4, xfs, btrfs, tmpfs; not the layers of a container), with Linux 5.11 or newer.";
}

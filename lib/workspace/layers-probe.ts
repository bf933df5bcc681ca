import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openLayers } from "./layers.ts";
import { prepareForWall } from "./wall.ts";
import { type ProbeOptions, probeWith, tryWall, type WallState } from "./wall-probe.ts";

const programs = ["unshare", "nsenter", "mount"].map((name) => [name, "sudo apt install util-linux mount"] as const);

/**
 * Whether layers can be mounted for runs behind the wall on this machine: tries it in the data folder with the same arguments as
 * for runs. The wall must work.
 */
export function probeLayers(options: ProbeOptions): Promise<WallState> {
  const { env } = options;
  return probeWith(options, programs, fixFor, async (wall, folder) => {
    const [own, dataDir] = [basename(folder), dirname(folder)];
    const at = join(wall.checkout, "layer");
    for (const path of [at, ...["lower", "upper", "work"].map((name) => join(folder, name))]) await mkdir(path);
    await writeFile(join(folder, "lower/kept"), "kept\n");
    await prepareForWall({ ...wall, home: join(folder, "upper") });
    const layers = await openLayers({ dataDir, layers: [{ lower: `${own}/lower`, own, at }], env });
    try {
      const script =
        "read -r kept < layer/kept && test $kept = kept && rm layer/kept && mkdir layer/kept && test ! -e lower";
      return await tryWall({ ...wall, layers }, { dataDir, env }, script);
    } finally {
      await layers.close();
    }
  });
}

/** What to do so that layers can be mounted, derived from the error message. */
function fixFor(said: string): string {
  if (/^unshare|cannot open|operation not permitted/i.test(said)) {
    return "Allow user namespaces for the user Errand runs as (on Ubuntu: for the program unshare), or run Errand as root.";
  }
  return "Keep the data folder on a file system that overlays can be written to (ext4, xfs, btrfs, tmpfs; not the layers of a container), with Linux 5.11 or newer.";
}

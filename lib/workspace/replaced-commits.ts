import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Some 800 KB of ids, the newest. */
const notedMax = 20_000;

/**
 * Notes where the references of a mirror's source were before a fetch and are no longer: checkouts may still have these commits on
 * branches, and no reference tells any more that they came from the source. Only the ids: the commits may go from the mirror. Left out
 * are runs' branches, which the source has from here. The mirror's lock must be held.
 */
export async function noteReplaced(
  mirror: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  const current = new Set(after.values());
  const gone = [...before].filter(([name, id]) => !name.startsWith(ofRuns) && !current.has(id)).map(([, id]) => id);
  if (gone.length === 0) return;
  const noted = [...new Set([...(await readReplaced(mirror)), ...gone])].slice(-notedMax);
  const path = join(mirror, notes);
  await mkdir(dirname(path), { recursive: true });
  // A new file: backups have links to the old one.
  await writeFile(`${path}.new`, noted.map((id) => `${id}\n`).join(""));
  await rename(`${path}.new`, path);
}

/** What {@link noteReplaced} has noted in a mirror: ids of commits and tags, the oldest first. */
export async function readReplaced(mirror: string): Promise<string[]> {
  return (await readFile(join(mirror, notes), "latin1").catch(() => "")).split("\n").slice(0, -1);
}

const notes = "errand/replaced";
const ofRuns = "refs/remotes/origin/errand/run-";

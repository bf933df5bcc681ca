import { chmod, chown, lstat, mkdir, readdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Environment } from "./environment.ts";
import { type Layer, type LayerSpace, openLayers } from "./layers.ts";
import {
  copy,
  type PreparedManifest,
  type PreparedPlace,
  preparedPath,
  readNote,
  readPrepared,
} from "./prepared-checkouts.ts";
import type { PreparedFolder } from "./prepared-folders.ts";
import { removeTree } from "./remove-checkout.ts";

/** The folders of one run in which layers are mounted. Absolute paths without symbolic links. */
export interface RunFolders {
  dataDir: string;
  runId: number;
  checkout: string;
  home: string;
  env: Environment;
}

const Attached = z.object({
  /** That of the manifest. */
  id: z.string().default(""),
  repositoryId: z.int(),
  key: z.string(),
  layers: z.array(z.object({ place: z.enum(["checkout", "home"]), path: z.string() })),
});

/**
 * Gives a run just checked out the content of a prepared checkout: mounts its layers, copies its single files. null if there is no
 * such prepared checkout or it does not fit, because the run's commit uses one of its paths; then nothing changes except for empty
 * folders. No process of the run may be alive. Throws WorkspaceError `layers_unavailable`.
 */
export async function attachPrepared(
  run: RunFolders,
  place: PreparedPlace,
): Promise<{ manifest: PreparedManifest; space: LayerSpace } | null> {
  await forgetLayers(run);
  const manifest = await readPrepared(place);
  if (manifest === null) return null;
  const { id, layers, copies } = manifest;
  const fits = await Promise.all([
    ...layers.map((folder) => isFree(rootOf(run, folder), folder.path)),
    ...copies.map((path) => isFree(run.checkout, path)),
  ]);
  if (fits.includes(false)) return null;
  const kept = preparedPath(place);
  for (const [at, { place: where, path }] of layers.entries()) {
    await makeOwn(run, at, join(place.dataDir, kept, "layers", String(at)));
    await mkdir(join(rootOf(run, { place: where }), path), { recursive: true });
  }
  const note = { id, repositoryId: place.repositoryId, key: place.key, layers };
  await mkdir(folderOf(run), { recursive: true });
  await writeFile(noteOf(run), `${JSON.stringify(note)}\n`, { flush: true });
  const space = await mount(run, kept, layers);
  // Removal first moves the prepared checkout away, then checks whether it is mounted: one of the two sees the other.
  if (!(await isKept(place, id))) {
    await space.close();
    await forgetLayers(run);
    return null;
  }
  for (const path of copies) await copy(join(place.dataDir, kept, "copies", path), join(run.checkout, path));
  return { manifest, space };
}

/**
 * Mounts the layers of the run's earlier turns with the run's changes in them. `none`: it had none. `gone`: their content is no
 * longer kept, was replaced, or cannot be found. No process of the run may be alive.
 */
export async function attachAgain(run: RunFolders): Promise<LayerSpace | "none" | "gone"> {
  if ((await lstat(noteOf(run)).catch(() => null)) === null) return "none";
  const note = await readNote(noteOf(run), Attached);
  if (note === null) return "gone";
  const { id, layers, ...kept } = note;
  // All of it was copied, so the checkout needs nothing that is kept.
  if (layers.length === 0) return "none";
  const place = { dataDir: run.dataDir, ...kept };
  if (!(await isKept(place, id))) return "gone";
  const space = await mount(run, preparedPath(place), layers);
  if (await isKept(place, id)) return space;
  await space.close();
  return "gone";
}

/** Whether a prepared checkout is still there, and no other one in its place. */
async function isKept(place: PreparedPlace, id: string): Promise<boolean> {
  return (await readPrepared(place))?.id === id;
}

/** Deletes the layers of a run with its changes in them. They must not be mounted. */
export async function forgetLayers(run: Pick<RunFolders, "dataDir" | "runId">): Promise<void> {
  await removeTree(folderOf(run));
}

async function mount(run: RunFolders, kept: string, folders: readonly PreparedFolder[]): Promise<LayerSpace> {
  const layers: Layer[] = [];
  for (const [at, folder] of folders.entries()) {
    const path = join(rootOf(run, folder), folder.path);
    // A parent folder that the run has replaced by anything else stays.
    if ((await realpath(path).catch(() => null)) !== path || !(await lstat(path)).isDirectory()) continue;
    layers.push({ lower: `${kept}/layers/${at}`, own: ownOf(run, at), at: path });
  }
  return openLayers({ dataDir: run.dataDir, layers, env: run.env });
}

/** The run's own part of a layer; its top folder has the mode and owner of the layer's. */
async function makeOwn(run: RunFolders, at: number, lower: string): Promise<void> {
  const own = join(run.dataDir, ownOf(run, at));
  await mkdir(join(own, "work"), { recursive: true });
  await mkdir(join(own, "upper"));
  const { mode, uid, gid } = await lstat(lower);
  await chmod(join(own, "upper"), mode & 0o7777);
  if (process.getuid?.() === 0) await chown(join(own, "upper"), uid, gid);
}

/** Whether there is nothing, or an empty folder, and every parent is a folder. */
async function isFree(root: string, path: string): Promise<boolean> {
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    const found = await lstat(join(root, above)).catch(() => null);
    if (found !== null && !found.isDirectory()) return false;
  }
  const found = await lstat(join(root, path)).catch(() => null);
  if (found === null) return true;
  return found.isDirectory() && (await readdir(join(root, path))).length === 0;
}

function rootOf({ checkout, home }: RunFolders, { place }: Pick<PreparedFolder, "place">): string {
  return place === "checkout" ? checkout : home;
}

function folderOf({ dataDir, runId }: Pick<RunFolders, "dataDir" | "runId">): string {
  return join(dataDir, "layers", String(runId));
}

function noteOf(run: Pick<RunFolders, "dataDir" | "runId">): string {
  return join(folderOf(run), "attached.json");
}

/** Relative to the data folder. */
function ownOf({ runId }: Pick<RunFolders, "runId">, at: number): string {
  return `layers/${runId}/${at}`;
}

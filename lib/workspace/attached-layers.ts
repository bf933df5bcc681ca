import { chmod, chown, lstat, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Environment } from "./environment.ts";
import { type Layer, type LayerSpace, openLayers } from "./layers.ts";
import { copy, type PreparedManifest, type PreparedPlace, preparedPath, readPrepared } from "./prepared-checkouts.ts";
import type { PreparedFolder } from "./prepared-folders.ts";
import { removeTree } from "./remove-checkout.ts";

/** The folders of one run that layers are mounted in. Absolute paths without symbolic links. */
export interface RunFolders {
  dataDir: string;
  runId: number;
  checkout: string;
  home: string;
  env: Environment;
}

const Attached = z.object({
  repositoryId: z.int(),
  key: z.string(),
  layers: z.array(z.object({ place: z.enum(["checkout", "home"]), path: z.string() })),
});

/**
 * Gives a run that has just been checked out what a prepared checkout holds: its layers are mounted, its single files copied. null,
 * and nothing is changed but for empty folders, where there is no such prepared checkout, or where it does not fit, because what it
 * holds lies in a place that the run's commit uses. No process of the run may be alive.
 * Throws WorkspaceError `layers_unavailable`.
 */
export async function attachPrepared(
  run: RunFolders,
  place: PreparedPlace,
): Promise<{ manifest: PreparedManifest; space: LayerSpace } | null> {
  await forgetLayers(run);
  const manifest = await readPrepared(place);
  if (manifest === null) return null;
  const { layers, copies } = manifest;
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
  const note = { repositoryId: place.repositoryId, key: place.key, layers };
  await mkdir(folderOf(run), { recursive: true });
  await writeFile(noteOf(run), `${JSON.stringify(note)}\n`);
  const space = await mount(run, kept, layers);
  // Who removes it moves it away first and then looks whether it is mounted: one of the two sees the other.
  if ((await readPrepared(place)) === null) {
    await space.close();
    await forgetLayers(run);
    return null;
  }
  for (const path of copies) await copy(join(place.dataDir, kept, "copies", path), join(run.checkout, path));
  return { manifest, space };
}

/**
 * Mounts the layers that the run has had in its earlier turns, with what it changed in them. `none`: it has had none. `gone`: what lay
 * under them is no longer kept. No process of the run may be alive.
 */
export async function attachAgain(run: RunFolders): Promise<LayerSpace | "none" | "gone"> {
  const text = await readFile(noteOf(run), "utf8").catch(() => null);
  if (text === null) return "none";
  const { layers, ...kept } = Attached.parse(JSON.parse(text));
  const place = { dataDir: run.dataDir, ...kept };
  if ((await readPrepared(place)) === null) return "gone";
  const space = await mount(run, preparedPath(place), layers);
  if ((await readPrepared(place)) !== null) return space;
  await space.close();
  return "gone";
}

/** Forgets the layers of a run and what it has changed in them. They must not be mounted. */
export async function forgetLayers(run: Pick<RunFolders, "dataDir" | "runId">): Promise<void> {
  await removeTree(folderOf(run));
}

async function mount(run: RunFolders, kept: string, folders: readonly PreparedFolder[]): Promise<LayerSpace> {
  const layers: Layer[] = [];
  for (const [at, folder] of folders.entries()) {
    const path = join(rootOf(run, folder), folder.path);
    // What the run has put in the place of one of the folders above is left alone.
    if ((await realpath(path).catch(() => null)) !== path || !(await lstat(path)).isDirectory()) continue;
    layers.push({ lower: `${kept}/layers/${at}`, own: ownOf(run, at), at: path });
  }
  return openLayers({ dataDir: run.dataDir, layers, env: run.env });
}

/** The run's own part of a layer; its top folder shows as the layer's. */
async function makeOwn(run: RunFolders, at: number, lower: string): Promise<void> {
  const own = join(run.dataDir, ownOf(run, at));
  await mkdir(join(own, "work"), { recursive: true });
  await mkdir(join(own, "upper"));
  const { mode, uid, gid } = await lstat(lower);
  await chmod(join(own, "upper"), mode & 0o7777);
  if (process.getuid?.() === 0) await chown(join(own, "upper"), uid, gid);
}

/** Nothing lies there but maybe an empty folder, and every folder above it is one. */
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

/** Below the data folder. */
function ownOf({ runId }: Pick<RunFolders, "runId">, at: number): string {
  return `layers/${runId}/${at}`;
}

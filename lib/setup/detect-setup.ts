import { agentFiles, readAgentFile, readErrandInputs } from "./agent-files.ts";
import { type BoundSigns, boundSigns } from "./bound-signs.ts";
import { everyEcosystem } from "./ecosystems/every-ecosystem.ts";
import { hasWorkspaces, javascript } from "./ecosystems/javascript.ts";
import { type FoundCommand, inOrder } from "./found-command.ts";
import { lockAndVersionFile } from "./prepared-key.ts";
import { type Detector, Project } from "./project.ts";
import type { SourceTree } from "./source-tree.ts";
import { UnreadFiles } from "./unread-files.ts";
import { ciFiles, ciFilesMax, plainFolder, readCi } from "./workflows.ts";

/** Findings in the files of a repository: its commands, strongest first, and the files they depend on. */
export type Signs = BoundSigns;

const nestedMax = 3;
const nestedDepthMax = 3;
const passedOver =
  /(^|\/)(\.[^/]*|node_modules|vendor|third_party|tests?|testdata|fixtures?|examples?|samples?|docs?)\//i;

/**
 * Reads the signs of a tree: Errand's own file, then the files of other agents, CI, and the manifests of the project at the top
 * and of at most three nested ones. Executes nothing. Relevant files that are too large are listed as left out, as are CI files
 * and nested projects beyond the limits.
 */
export async function detectSetup(tree: SourceTree): Promise<Signs> {
  const allCi = ciFiles(tree.paths).filter((path) => !agentFiles.includes(path));
  const ci = allCi.slice(0, ciFilesMax);
  const names = new Set(tree.paths.filter((path) => !path.includes("/")));
  // Whether there are npm packages below the top is only known once its package.json is read: both cases are read at once.
  const missing = everyEcosystem.filter((detector) => detector.manifests.length > 0 && !isOf(detector, names));
  const candidates = [missing, [...missing, javascript]].flatMap((families) =>
    nestedFolders(tree.paths, families).slice(0, nestedMax),
  );
  const nestedSigns = candidates.flatMap((folder) => signNames.map((name) => `${folder}/${name}`));
  const files = await tree.read([...new Set([...agentFiles, ...ci, ...signNames, ...nestedSigns])]);
  const found: FoundCommand[] = [];
  const unread = new UnreadFiles(files);
  for (const path of [...agentFiles, ...ci]) {
    const text = unread.textOf(path);
    if (text === undefined) continue;
    if (/\.ya?ml$/.test(path)) unread.noteYaml(path, text);
    found.push(...(agentFiles.includes(path) ? readAgentFile(path, text) : readCi(path, text)));
  }
  const top = new Project("", tree.paths, unread);
  for (const detector of everyEcosystem) found.push(...detector.detect(top));

  // One install at the top serves the nested projects of its family, except npm packages that are not workspaces.
  const nested = top.has("package.json") && !hasWorkspaces(top) ? [...missing, javascript] : missing;
  const allFolders = nestedFolders(tree.paths, nested);
  const folders = allFolders.slice(0, nestedMax);
  const projects = folders.map((folder) => new Project(folder, below(tree.paths, folder), unread));
  for (const project of projects) {
    for (const detector of nested) if (isOf(detector, project.names)) found.push(...detector.detect(project));
  }
  const stated = readErrandInputs(unread.textOf(".errand/setup.json") ?? "");
  const seen = [top, ...projects].flatMap((project) => [...project.names].sort().map((name) => project.pathOf(name)));
  const inputs = [...new Set([...stated, ...seen.filter((path) => lockAndVersionFile.test(path))])];
  const passed = [
    ...notAll(allCi.slice(ciFilesMax), `only the first ${ciFilesMax} CI files by name are`),
    ...notAll(allFolders.slice(nestedMax), `only the ${nestedMax} shallowest nested projects are`),
  ];
  return boundSigns(inOrder(found), inputs, [...passed, ...unread.notes()]);
}

const signNames = [...new Set(everyEcosystem.flatMap(({ manifests, signs }) => [...manifests, ...signs]))].filter(
  (name) => !name.startsWith("*"),
);

/** A sentence on files or folders that were not examined; none if there are none. */
function notAll(paths: string[], why: string): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return [`${named}${more} ${paths.length === 1 ? "was" : "were"} not looked at: ${why}`];
}

/** Folders below the top with a manifest of these families: the shallowest first, then by name, none inside another. */
function nestedFolders(paths: string[], detectors: Detector[]): string[] {
  const isManifest = manifestTest(detectors);
  const folders = new Set<string>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    if (slash === -1 || !isManifest(path.slice(slash + 1))) continue;
    const folder = path.slice(0, slash);
    if (folder.split("/").length > nestedDepthMax || passedOver.test(`${folder}/`) || !plainFolder.test(folder))
      continue;
    folders.add(folder);
  }
  const depth = (folder: string) => folder.split("/").length;
  const sorted = [...folders].sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
  const kept: string[] = [];
  for (const folder of sorted) {
    if (!kept.some((outer) => folder.startsWith(`${outer}/`))) kept.push(folder);
  }
  return kept;
}

function below(paths: string[], folder: string): string[] {
  return paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
}

function isOf(detector: Detector, names: ReadonlySet<string>): boolean {
  return [...names].some(manifestTest([detector]));
}

/** Whether a file of this name marks its folder as a project of one of these families. */
function manifestTest(detectors: Detector[]): (name: string) => boolean {
  const all = detectors.flatMap(({ manifests }) => manifests);
  const names = new Set(all);
  const endings = all.filter((name) => name.startsWith("*")).map((name) => name.slice(1));
  return (name) => names.has(name) || endings.some((ending) => name.endsWith(ending));
}

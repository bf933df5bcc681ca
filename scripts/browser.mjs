// The browsers of the journeys and the benchmarks (plain JavaScript, because it runs before Node 24 is installed).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const whole = ["chromium", "chromium-browser", "google-chrome"];
const bare = ["chromium-headless-shell"];

/** The first of these programs that the machine has; undefined if it has none. */
function findProgram(names) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/** Installs a package as root on Debian; does nothing elsewhere. A failure is reported on standard error. */
function installPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.error(`errand: installing ${name} …`);
  const quiet = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  const patience = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"];
  spawnSync("apt-get", [...patience, "update"], quiet);
  spawnSync("apt-get", [...patience, "install", "-y", "--no-install-recommends", name], quiet);
}

/**
 * The Chromium that ERRAND_CHROMIUM names, else the machine's own; else, as root on Debian, from its packages; else Playwright's own
 * download, by `download`, which is found without a path. Returns the path, or undefined.
 */
export function ensureBrowser(download) {
  if (process.env.ERRAND_CHROMIUM) return process.env.ERRAND_CHROMIUM;
  if (findProgram(whole) === undefined) installPackage("chromium");
  const found = findProgram(whole);
  if (found === undefined) download();
  return found;
}

/**
 * Like {@link ensureBrowser}, but prefers a Chromium without windows, as Playwright's own download is: it lays out and paints
 * like the full one, but needs two thirds of the processor time, because it does not load the pages of tabs and menus.
 */
export function ensureBareBrowser(download) {
  if (process.env.ERRAND_CHROMIUM) return process.env.ERRAND_CHROMIUM;
  if (findProgram(bare) === undefined) installPackage("chromium-headless-shell");
  return findProgram(bare) ?? ensureBrowser(download);
}

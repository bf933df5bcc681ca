// The browser of the journeys and the benchmarks (plain JavaScript: it runs before Node 24 is there).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium that ERRAND_CHROMIUM names, else the machine's own; undefined where there is none. */
function findBrowser() {
  if (process.env.ERRAND_CHROMIUM) return process.env.ERRAND_CHROMIUM;
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, "/usr/bin/chromium"].find((path) => existsSync(path));
}

/**
 * Chromium from the machine; else, as root on Debian, from its packages; else Playwright's own download, by `download`, which is
 * found without a path. Returns the path, or undefined.
 */
export function ensureBrowser(download) {
  if (findBrowser() === undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("errand: installing Chromium …");
    const quiet = {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    };
    spawnSync("apt-get", ["update"], quiet);
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], quiet);
  }
  const found = findBrowser();
  if (found === undefined) download();
  return found;
}

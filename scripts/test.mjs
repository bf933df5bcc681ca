// `npm test`: lint, types, unit and route tests, then the journeys in a real browser on the built product.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, NEXT_TELEMETRY_DISABLED: "1" };

function run(title, file, args) {
  console.log(`\n== ${title}`);
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  if (status === 0) return;
  console.error(`\nerrand: ${title} failed (${error?.message ?? `exit ${status}`}).`);
  process.exit(1);
}

function browser() {
  const onPath = (env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)));
  return [...onPath, "/usr/bin/chromium"].find((path) => existsSync(path));
}

/** Chromium from the machine; else, as root on Debian, from its packages; else Playwright's own download. */
function ensureBrowser() {
  if (process.env.ERRAND_CHROMIUM) return process.env.ERRAND_CHROMIUM;
  if (browser() === undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("\n== installing Chromium");
    const quiet = { stdio: ["ignore", "ignore", "inherit"], env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
    spawnSync("apt-get", ["update"], quiet);
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], quiet);
  }
  const found = browser();
  if (found === undefined) run("install Playwright's Chromium", join(bin, "playwright"), ["install", "chromium"]);
  return found;
}

run("lint", join(bin, "biome"), ["ci", "--colors=off", "."]);
run("unit and route tests", process.execPath, [
  "--test",
  "--test-concurrency=2",
  "lib/**/*.test.ts",
  "app/**/*.test.ts",
  "components/**/*.test.ts",
  "scripts/**/*.test.ts",
]);
run("build", process.execPath, [join(root, "scripts", "run.mjs"), "build"]);
run("types", join(bin, "tsc"), ["--noEmit", "-p", "."]);
const chromium = ensureBrowser();
if (chromium !== undefined) env.ERRAND_CHROMIUM = chromium;
run("end-to-end tests", join(bin, "playwright"), ["test", ...process.argv.slice(2)]);

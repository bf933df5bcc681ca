// `npm test`: lint, dead exports, types, unit and route tests, then the journeys in a real browser on the built product.
// `npm run test:long`: the same with the whole counts of tests that `npm test` runs in a short form (`--long`).
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./browser.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const isLong = process.argv.includes("--long");
const journeys = process.argv.slice(2).filter((word) => word !== "--long");
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, NEXT_TELEMETRY_DISABLED: "1" };
if (isLong) env.ERRAND_TEST_LONG = "1";
// Hundreds of processes read the same modules: each is compiled once, which takes a quarter of the processor's time off.
env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "errand-compiled");

function run(title, file, args) {
  console.log(`\n== ${title}`);
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  if (status === 0) return;
  console.error(`\nerrand: ${title} failed (${error?.message ?? `exit ${status}`}).`);
  process.exit(1);
}

run("lint", join(bin, "biome"), ["ci", "--colors=off", "."]);
run("what nothing uses", join(bin, "knip"), ["--no-progress"]);
run("unit and route tests", process.execPath, [
  "--test",
  // One more than the two processors of CI: many of them wait for processes and clocks.
  "--test-concurrency=3",
  "lib/**/*.test.ts",
  "app/**/*.test.ts",
  "components/**/*.test.ts",
  "scripts/**/*.test.ts",
]);
run("build", process.execPath, [join(root, "scripts", "run.mjs"), "build"]);
run("types", join(bin, "tsc"), ["--noEmit", "-p", "."]);
const chromium = ensureBrowser(() =>
  run("install Playwright's Chromium", join(bin, "playwright"), ["install", "chromium"]),
);
if (chromium !== undefined) env.ERRAND_CHROMIUM = chromium;
run("end-to-end tests", join(bin, "playwright"), ["test", ...journeys]);

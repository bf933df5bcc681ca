// `npm test`: lint and dead exports, then unit and route tests beside the build, the types and the main end-to-end tests.
// `npm run test:rest`: the tests that it leaves out. `npm run test:long`: both, with the full counts of tests that have a short
// form. CONTRIBUTING says which test is in which tier.
import { spawn, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBareBrowser } from "./browser.mjs";
import { openMemoryFolder } from "./memory-folder.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const [tier = "short", ...onlyEndToEnd] = process.argv.slice(2);
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, NEXT_TELEMETRY_DISABLED: "1" };
if (tier === "long") env.ERRAND_TEST_LONG = "1";
// Hundreds of processes read the same modules: compiling each only once saves a quarter of the processor time.
env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "errand-compiled");

const memory = openMemoryFolder();
if (memory !== undefined) env.TMPDIR = memory;
// A signal has the effect of an exit: running parts are stopped, and the folder is removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));

/**
 * Starts a program; `ended` resolves with the reason of its failure, or null. Its output is shown as it comes or, if it runs
 * beside others, kept for `show`.
 */
function begin(title, file, args, { beside = false } = {}) {
  if (!beside) console.log(`\n== ${title}`);
  const child = spawn(file, args, {
    cwd: root,
    stdio: ["ignore", ...(beside ? ["pipe", "pipe"] : ["inherit", "inherit"])],
    env,
  });
  process.once("exit", () => child.kill());
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? null : `exit ${code ?? signal}`));
  });
  const text = () => Buffer.concat(said).toString();
  const show = () => process.stdout.write(`\n== ${title}\n${text()}`);
  const showEnd = () => process.stdout.write(`\n== ${title}\n${text().trimEnd().split("\n").slice(-8).join("\n")}\n`);
  return { title, pid: child.pid, ended, show, showEnd };
}

/** Waits for a part and reports its failure; returns whether it passed. */
async function passed({ title, ended }) {
  const reason = await ended;
  if (reason !== null) console.error(`\nerrand: ${title} failed (${reason}).`);
  return reason === null;
}

/** Waits for a part; one that failed ends everything. */
async function must(part) {
  if (!(await passed(part))) process.exit(1);
}

const run = (title, file, args) => must(begin(title, file, args));

const chromium = ensureBareBrowser(() => {
  console.log("\n== install Playwright's Chromium");
  const { status } = spawnSync(join(bin, "playwright"), ["install", "chromium"], { cwd: root, stdio: "inherit", env });
  if (status === 0) return;
  console.error("\nerrand: Playwright's Chromium cannot be installed.");
  process.exit(1);
});
if (chromium !== undefined) env.ERRAND_CHROMIUM = chromium;

// The build uses one thread most of the time, so lint and the others cost little beside it.
const build = begin("build", process.execPath, [join(root, "scripts", "run.mjs"), "build"], { beside: true });
if (tier !== "rest") {
  await run("lint", join(bin, "biome"), ["ci", "--colors=off", "."]);
  await run("unused code", join(bin, "knip"), ["--no-progress"]);
}

// Each file runs in a separate process, except those of folders whose tests take less time than loading their common modules: they
// run one after another in one process. To start a program costs five times as much there, because the process is large, so files
// that start many have a process of their own.
const together = [
  ...["analysis", "client", "contract", "entry", "host", "http", "limits", "mcp", "otlp", "outbound", "secrets"],
  ...["service", "tail", "web", "webhooks"],
].map((name) => `lib/${name}`);
const startPrograms = [
  "components/docs/samples",
  "lib/contract/openapi/generators",
  "lib/contract/repositories/branch-name",
  ...["pull-requests", "push-run", "run-acts", "run-bans", "run-work", "woken-pulls"].map(
    (name) => `lib/service/${name}`,
  ),
  ...["access-recorded", "documented-errors", "fuzz", "key-exports", "routes"].map((name) => `lib/web/${name}`),
].map((path) => `${path}.test.ts`);
const isOfTier = (file) =>
  tier === "long" || (tier === "rest") === readFileSync(join(root, file), "utf8").startsWith("// Tier: rest\n");
const files = globSync("{app,components,lib,scripts}/**/*.test.ts", { cwd: root }).filter(isOfTier).sort();
const inOne = files.filter(
  (file) =>
    ["components", ...together].some((folder) => file.startsWith(`${folder}/`)) && !startPrograms.includes(file),
);
const alone = files.filter((file) => !inOne.includes(file));
// They start thousands of processes, and each start copies the page tables of the starting process: half of the processor time of
// tests with git. A small space for new objects keeps those processes small.
const node = (title, args) => {
  const part = begin(title, process.execPath, ["--max-semi-space-size=4", ...args], { beside: true });
  // They use what the end-to-end tests leave, which wait a lot for processes, clocks and browsers and would otherwise end last.
  setPriority(part.pid, 5);
  return part;
};
// The unit tests need no build, so they begin first.
const units = [
  node("unit tests in one process", [join(root, "scripts", "test-together.mjs"), ...inOne]),
  node("unit tests, a process for each file", ["--test", "--test-concurrency=3", ...alone]),
];
// A line for each of thousands of passed tests would bury the failures.
for (const part of units) part.ended.then((reason) => (reason === null ? part.showEnd() : part.show()));
await build.ended;
build.show();
await must(build);
if (tier !== "rest") await run("types", join(bin, "tsc"), ["--noEmit", "-p", "."]);

const tags = { short: ["--grep", "@short"], rest: ["--grep-invert", "@short"], long: [] };
const browsing = begin("end-to-end tests", join(bin, "playwright"), ["test", ...tags[tier], ...onlyEndToEnd]);
// Waits for all, so that every failure is reported.
const results = await Promise.all([browsing, ...units].map(passed));
if (results.includes(false)) process.exit(1);

// `npm run test:faults`: what Errand does when things go wrong, with the full counts of tests (`--short`: with those of `npm
// test`). The tests themselves are beside the code that they test; this is the table of them, by fault. All are part of `npm
// test` too.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemoryFolder } from "./memory-folder.mjs";

const root = join(import.meta.dirname, "..");

/** Test files by what goes wrong. Unit tests in lib, journeys in e2e. */
export const faults = {
  "kills of engine, web, both and supervisor": [
    "e2e/kills.e2e.ts",
    "e2e/service.e2e.ts",
    "lib/agents/acp/transcript-ends.test.ts",
    "lib/cli/backup.test.ts",
    "lib/cli/supervised-child.test.ts",
    "lib/egress/proxy.test.ts",
    "lib/engine/housekeeping.test.ts",
    "lib/engine/pull-request/comment-kills.test.ts",
    "lib/engine/pull-request/pull-kills.test.ts",
    "lib/engine/run-workspace.test.ts",
    "lib/engine/setup-killed.test.ts",
    "lib/engine/webhook-kills.test.ts",
    "lib/service/claude-session-kills.test.ts",
    "lib/workspace/freeze.test.ts",
    "lib/workspace/mirror.test.ts",
    "lib/workspace/prepared-killed.test.ts",
    "lib/workspace/repository-lock.test.ts",
  ],
  "processes that try to stay: cancels, orphans": [
    "lib/agents/steps/running-step.test.ts",
    "lib/engine/cancelled-fugitives.test.ts",
    "lib/engine/left-processes.test.ts",
    "lib/workspace/contain.test.ts",
    "lib/workspace/wall-kill.test.ts",
  ],
  "a full disk": ["e2e/full-disk.e2e.ts", "lib/engine/full-disk.test.ts", "lib/web/full-disk.test.ts"],
  "damaged files": [
    "lib/agents/steps/sessions.test.ts",
    "lib/cli/doctor.test.ts",
    "lib/engine/daily-check.test.ts",
    "lib/limits/saved-rate-log.test.ts",
    "lib/search/indexer.test.ts",
    "lib/search/indexing.test.ts",
    "lib/store/damage.test.ts",
    "lib/store/folder-lock.test.ts",
    "lib/store/open-store.test.ts",
    "lib/store/sqlite-processes.test.ts",
    "lib/web/damaged-store.test.ts",
    "lib/workspace/prepared-checkouts.test.ts",
  ],
  "agents that misbehave": [
    "e2e/agents.e2e.ts",
    "lib/agents/acp/chatty.test.ts",
    "lib/agents/acp/driver.test.ts",
    "lib/agents/acp/session.test.ts",
    "lib/agents/acp/turn-end.test.ts",
    "lib/engine/walled-limits.test.ts",
    "lib/workspace/wall.test.ts",
  ],
  "readers that never read": ["lib/web/write-answer.test.ts"],
  "hostile repositories": [
    "lib/setup/read-signs.test.ts",
    "lib/workspace/checkout.test.ts",
    "lib/workspace/finish-hostile.test.ts",
    "lib/workspace/finish.test.ts",
    "lib/workspace/source.test.ts",
  ],
};

/** Runs a program to its end; true if it succeeded. Its output is shown as it comes or, with `beside`, when it has ended. */
function runPart({ file, args, env, beside = false }) {
  const output = beside ? "pipe" : "inherit";
  const child = spawn(file, args, { cwd: root, stdio: ["ignore", output, output], env });
  process.once("exit", () => child.kill());
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    const end = (isGood) => {
      process.stdout.write(Buffer.concat(said));
      resolve(isGood);
    };
    child.once("error", (error) => {
      console.error(`errand: ${file} cannot be started (${error.message}).`);
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

async function run() {
  const isShort = process.argv.includes("--short");
  const bin = join(root, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  // For the product that journeys start, not for tests.
  delete env.NODE_ENV;
  const files = Object.values(faults).flat();
  const journeys = files.filter((file) => file.startsWith("e2e/"));
  const units = files.filter((file) => !file.startsWith("e2e/"));
  for (const [what, list] of Object.entries(faults)) console.log(`${what}: ${list.join(" ")}`);
  const startedAt = Date.now();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));
  const ofUnits = { file: process.execPath, args: ["--test", `--test-concurrency=${isShort ? 3 : 2}`, ...units], env };
  const ofJourneys = {
    file: join(bin, "playwright"),
    args: ["test", ...(isShort ? ["--fully-parallel"] : []), ...journeys],
    env,
  };
  const results = [];
  if (isShort) {
    // In memory and concurrent, because most of them wait most of the time.
    const memory = openMemoryFolder();
    if (memory !== undefined) env.TMPDIR = memory;
    results.push(...(await Promise.all([runPart({ ...ofUnits, beside: true }), runPart(ofJourneys)])));
  } else {
    // On the disk, and one after the other, because they report figures of the machine.
    env.ERRAND_TEST_LONG = "1";
    results.push(await runPart(ofUnits), await runPart(ofJourneys));
  }
  console.log(`\nFaults: ${files.length} files in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  process.exit(results.includes(false) ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();

// `npm run test:faults`: what Errand does when things go wrong, in whole counts (`--short`: in those of `npm test`). The tests
// themselves stand beside what they test; this is the table of them, by fault. All are parts of `npm test` too.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Test files by what goes wrong. Unit tests in lib, journeys in e2e. */
export const faults = {
  "kills of engine, web, both and supervisor": [
    "e2e/kills.e2e.ts",
    "e2e/service.e2e.ts",
    "lib/cli/supervised-child.test.ts",
    "lib/engine/pull-request/pull-kills.test.ts",
    "lib/engine/setup-killed.test.ts",
    "lib/engine/webhook-kills.test.ts",
    "lib/service/claude-session-kills.test.ts",
    "lib/workspace/prepared-killed.test.ts",
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
    "lib/engine/daily-check.test.ts",
    "lib/limits/saved-rate-log.test.ts",
    "lib/search/indexer.test.ts",
    "lib/store/damage.test.ts",
    "lib/store/folder-lock.test.ts",
    "lib/store/open-store.test.ts",
    "lib/store/sqlite-processes.test.ts",
  ],
  "agents that misbehave": [
    "lib/agents/acp/chatty.test.ts",
    "lib/agents/acp/driver.test.ts",
    "lib/agents/acp/session.test.ts",
    "lib/agents/acp/turn-end.test.ts",
    "lib/engine/walled-limits.test.ts",
    "lib/workspace/wall.test.ts",
  ],
  "hostile repositories and entries": [
    "e2e/hostile.e2e.ts",
    "lib/setup/read-signs.test.ts",
    "lib/workspace/checkout.test.ts",
    "lib/workspace/finish-hostile.test.ts",
    "lib/workspace/finish.test.ts",
    "lib/workspace/source.test.ts",
  ],
};

function run() {
  const root = join(import.meta.dirname, "..");
  const isShort = process.argv.includes("--short");
  const bin = join(root, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  // Of the product that journeys start, not of tests.
  delete env.NODE_ENV;
  if (!isShort) env.ERRAND_TEST_LONG = "1";
  const files = Object.values(faults).flat();
  const journeys = files.filter((file) => file.startsWith("e2e/"));
  const units = files.filter((file) => !file.startsWith("e2e/"));
  for (const [what, list] of Object.entries(faults)) console.log(`${what}: ${list.join(" ")}`);
  const startedAt = Date.now();
  const parts = [
    [process.execPath, ["--test", "--test-concurrency=2", ...units]],
    [join(bin, "playwright"), ["test", ...journeys]],
  ];
  // Both are told of, whichever failed.
  const failed = parts.filter(
    ([file, args]) => spawnSync(file, args, { cwd: root, stdio: "inherit", env }).status !== 0,
  );
  console.log(`\nFaults: ${files.length} files in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  process.exit(failed.length === 0 ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run();

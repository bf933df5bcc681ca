// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { makeCheckoutPlain } from "./plain-checkout.ts";

/** What a turn with these commands does not keep. */
async function leftOutBy(t: Parameters<typeof checkoutOf>[0], commands: string) {
  const checkout = await checkoutOf(t);
  execFileSync("sh", ["-ec", commands], { cwd: checkout.path });
  const { leftOut, diff } = await keep(checkout);
  return { told: leftOut.map(({ path, why }) => `${path} ${why}`).sort(), diff };
}

const commit = "git -c user.name=a -c user.email=a@b.c commit --quiet --message k";

test("work that an ignore file of the turn hides is told beside work that is kept", async (t) => {
  const ways: [string, string[]][] = [
    [
      `echo k > k; git add k; ${commit}; echo '*' > .gitignore; echo w > work.txt; mkdir d; echo v > d/v`,
      [".gitignore ignored", "d/ ignored", "work.txt ignored"],
    ],
    ["echo k > k; mkdir src; echo '*' > src/.gitignore; echo w > src/work.txt", ["src/ ignored"]],
    ["echo k > k; git init --quiet in; echo '*' > in/.gitignore; echo w > in/work.txt", ["in/ ignored"]],
    ["echo k > k; mkdir -p a/.git; echo v > a/.git/foo", ["a/.git/ refused"]],
    ["mkdir -p x/.git; echo v > x/.git/foo; echo k > x/w", ["x/.git/ refused"]],
  ];
  for (const [commands, told] of ways) {
    const found = await leftOutBy(t, commands);
    assert.deepEqual(found.told, told, commands);
    if (commands.includes(" k ")) assert.match(found.diff, /\+k/, commands);
  }
});

test("what tools hide in folders of their own is no work, and neither is what a repository always hid", async (t) => {
  const ofTools = [
    ".venv",
    ".mypy_cache",
    ".ruff_cache",
    "node_modules",
    "pkg/.pytest_cache",
    "venv",
    "py311-env",
    "htmlcov",
  ];
  const made = ofTools
    .map((folder) => `mkdir -p ${folder}; echo '*' > ${folder}/.gitignore; echo x > ${folder}/x`)
    .join("; ");
  assert.deepEqual((await leftOutBy(t, `echo k > k; ${made}`)).told, []);
  const kept = await checkoutOf(t, { "logs/.gitignore": "*\n!.gitignore\n", "a.txt": "a\n" });
  execFileSync("sh", ["-ec", "echo k > k; echo x > logs/x"], { cwd: kept.path });
  assert.deepEqual((await keep(kept)).leftOut, []);
  const checkout = await checkoutOf(t, { ".gitignore": "*.log\n", "a.txt": "a\n" });
  execFileSync("sh", ["-ec", "echo '*.tmp' >> .gitignore; echo x > x.log; echo y > y.tmp"], { cwd: checkout.path });
  assert.equal((await makeCheckoutPlain(checkout.path)).hidesAll, false);
  assert.deepEqual((await keep(checkout)).leftOut, []);
});

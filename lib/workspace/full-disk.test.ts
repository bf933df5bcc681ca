// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { findBubblewrapFlags } from "./bubblewrap.ts";
import { temporaryFolder, testEnv } from "./test-repository.ts";

test("on a full disk the work is not kept, nothing half-written stays, and with space everything is kept", {
  skip: (await findBubblewrapFlags(testEnv)) === null ? "bubblewrap does not work here" : false,
}, (t) => {
  const disk = temporaryFolder(t);
  const program = join(import.meta.dirname, "full-disk.fixture.ts");
  const smallDisk = ["--dev-bind", "/", "/", "--size", "24000000", "--tmpfs", disk];
  const output = execFileSync("bwrap", [...smallDisk, process.execPath, program, disk], { encoding: "utf8" });
  const { refusals, files } = JSON.parse(output);
  const refusal = { code: "disk_full", message: "The disk of Errand's data folder is full.", unfinished: [] };
  assert.deepEqual(refusals, Array(4).fill(refusal));
  assert.deepEqual(files, ["a.txt", "large.bin", "middle.bin"]);
});

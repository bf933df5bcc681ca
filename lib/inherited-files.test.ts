import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { test } from "node:test";

test("a folder left open by whoever started the service is not passed on to its programs", {
  skip: process.platform === "linux" ? false : "only Linux lists open files",
}, (t) => {
  const folder = openSync("/", "r");
  t.after(() => closeSync(folder));
  // Not one of the first descriptors, which Node closes itself.
  const stdio = ["ignore" as const, "pipe" as const, "inherit" as const, ...Array(17).fill("ignore"), folder];
  const address = JSON.stringify(new URL("./inherited-files.ts", import.meta.url).href);
  const seen = (before: string) => {
    const list = `import { execFileSync } from "node:child_process"; import { closeInherited } from ${address}; ${before}
      process.stdout.write(execFileSync("readlink", ["/proc/self/fd/20"], { stdio: ["ignore", "pipe", "ignore"] }));`;
    const args = ["--input-type=module", "-e", list];
    try {
      return execFileSync(process.execPath, args, { stdio: stdio.with(2, "ignore"), encoding: "utf8" });
    } catch {
      return null;
    }
  };
  assert.equal(seen(""), "/\n");
  assert.equal(seen("closeInherited();"), null);
});

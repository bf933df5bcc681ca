import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findCommand } from "./find-command.ts";

test("a command is the first executable file of its name on PATH", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "errand-find-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [plain, nested, real] = ["plain", "nested", "real"].map((name) => join(folder, name));
  assert.ok(plain && nested && real);
  for (const place of [plain, nested, real]) mkdirSync(place);
  writeFileSync(join(plain, "agent"), "");
  mkdirSync(join(nested, "agent"));
  writeFileSync(join(real, "agent"), "#!/bin/sh\n");
  chmodSync(join(real, "agent"), 0o755);
  const path = `:relative:${plain}:${nested}:/no/such:${real}`;
  assert.deepEqual(await findCommand(["agent", "--acp"], path), [join(real, "agent"), "--acp"]);
  assert.deepEqual(await findCommand([join(real, "agent")], ""), [join(real, "agent")]);
  assert.equal(await findCommand([join(plain, "agent")], path), null);
  assert.equal(await findCommand(["other"], path), null);
  assert.equal(await findCommand([""], path), null);
  assert.equal(await findCommand([], path), null);
});

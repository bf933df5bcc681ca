// Tier: rest
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { hasEnded, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment } from "./walled.fixture.ts";
import { keptKey as key, walledWithKey } from "./walled-key.fixture.ts";

/** Looks for texts in every visible process and file except its own program. Texts are given backwards. */
const search = `const { readdirSync, readFileSync, statSync } = require("node:fs");
const secrets = process.argv.slice(1).map((text) => [...text].reverse().join(""));
const hits = secrets.map(() => 0);
let files = 0;
const look = (path) => {
  try {
    const text = readFileSync(path, "latin1");
    files += 1;
    secrets.forEach((one, at) => { if (text.includes(one)) hits[at] += 1; });
  } catch {}
};
const walk = (folder, depth) => {
  let names = [];
  try { names = readdirSync(folder, { withFileTypes: true }); } catch {}
  for (const item of names) {
    const path = folder + "/" + item.name;
    if (item.isDirectory() && depth > 0) walk(path, depth - 1);
    else if (item.isFile()) look(path);
  }
};
for (const folder of ["/workspace", "/home", "/tmp", "/run", "/etc", "/dev/shm"]) walk(folder, 6);
for (const id of readdirSync("/proc").filter((name) => Number(name) > 0)) {
  for (const name of ["environ", "cmdline"]) look("/proc/" + id + "/" + name);
}
console.log("looked at", files > 20, "hits", hits.join(" "));`;
const backwards = (text: string) => [...text].reverse().join("");

const outputs = (entries: LogEntry[]) => entries.flatMap(({ tool_output }) => Object(tool_output).output ?? []);

function filesBelow(folder: string): string[] {
  const items = readdirSync(folder, { withFileTypes: true, recursive: true });
  return items.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name));
}

const probed = { dataDir: mkdtempSync(join(tmpdir(), "errand-wall-")), environment, sandbox: "auto" } as const;
const { holds } = await createRunWorkspace(probed).findWallState();

if (holds) {
  test("behind the wall an agent uses a key that exists only in the proxy", async (t) => {
    const { create, until, entries, store, access, dataDir, heard, lines } = await walledWithKey(t);
    const call = `fetch(process.env.MODEL_BASE_URL + "/messages", { method: "POST", headers: { "x-api-key": process.env.MODEL_API_KEY }, body: "{}" }).then(async (r) => console.log(r.status, (await r.text()).length))`;
    const { id } = await create(
      sh(
        `node -e '${call}'`,
        `node -e '${search}' -- ${backwards(key)} ${backwards("MODEL_API_KEY=errand-run-")}`,
        "env",
      ),
    );
    const run = await until(id, hasEnded);
    const log = await entries(id);
    assert.equal(run.isolation, "wall", JSON.stringify(log));
    assert.equal(run.status, "completed", JSON.stringify(log));
    assert.deepEqual(heard, [{ key, path: "/v1/messages" }]);
    const [called, searched] = outputs(log).map((output) => String(output).trim());
    assert.equal(called, `200 ${`heard ${key}`.length}`);
    // The placeholder is found, so the search does see what is visible.
    assert.match(searched ?? "", /^looked at true hits 0 [1-9]\d*$/);

    const kept = JSON.stringify([log, run, await store.networks.listDenials(access, id), lines]);
    assert.ok(!kept.includes(key));
    const bytes = Buffer.from(key);
    const holding = filesBelow(dataDir).filter((file) => readFileSync(file).includes(bytes));
    assert.deepEqual(holding, []);
    assert.deepEqual(readdirSync(join(dataDir, "run")), [], "the socket has gone with the turn");
  });

  test("a run cannot use another run's placeholder", async (t) => {
    const { create, until, entries, heard, store, access } = await walledWithKey(t);
    const told = await create(sh('echo "$MODEL_API_KEY"'));
    await until(told.id, hasEnded);
    const sentinel = String(outputs(await entries(told.id))[0]).trim();
    assert.match(sentinel, /^errand-run-/);
    const call = `fetch(process.env.MODEL_BASE_URL, { headers: { "x-api-key": "${sentinel}" } }).then(async (r) => console.log(r.status, await r.text()))`;
    const { id } = await create(sh(`node -e '${call}'`));
    await until(id, hasEnded);
    assert.match(String(outputs(await entries(id))[0]), /^403 Errand did not connect to .*\(key_unknown\)/);
    assert.deepEqual(heard, []);
    assert.deepEqual(
      (await store.networks.listDenials(access, id))?.map(({ rule }) => rule),
      ["key_unknown"],
    );
  });
}

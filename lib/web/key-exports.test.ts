// Tier: rest
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hasEnded, sh } from "#lib/engine/engine.fixture.ts";
import { createRunWorkspace } from "#lib/engine/run-workspace.ts";
import { environment } from "#lib/engine/walled.fixture.ts";
import { keptKey, walledWithKey } from "#lib/engine/walled-key.fixture.ts";
import { ApiUnderTest } from "./api-under-test.ts";

const probed = { dataDir: mkdtempSync(join(tmpdir(), "errand-wall-")), environment, sandbox: "auto" } as const;
const { holds } = await createRunWorkspace(probed).findWallState();

/** Traces of a text that must be found nowhere: itself, and the parts of its base64 that do not depend on its position. */
function tracesOf(text: string): string[] {
  const encoded = ["", "-", "--"].map((before) => Buffer.from(before + text).toString("base64"));
  return [text, ...encoded.map((code) => code.slice(4, 28))];
}

/** Prints the text at once, in two pieces and in base64, and writes it into a file. */
const tell = `const tell = (said) => {
    console.log(said.length, said);
    process.stdout.write(said.slice(0, 20));
    setTimeout(() => console.log(said.slice(20)), 200);
    console.log(btoa(said), btoa("-" + said));
    require("fs").writeFileSync("settings.txt", "told: " + said + "\\n");
  };`;
const ask = `fetch(process.env.MODEL_BASE_URL, { headers: { "x-api-key": process.env.MODEL_API_KEY } }).then((r) => r.text())`;

/** Behind the wall the service echoes the key, and the proxy hides it; on the leash the agent has it. */
const ways = [
  { isolation: "wall", script: `${tell} ${ask}.then(tell);`, shown: "*".repeat(keptKey.length) },
  { isolation: "leash", script: `${tell} tell(process.env.MODEL_API_KEY);`, shown: "[secret masked]" },
] as const;

for (const { isolation, script, shown } of ways) {
  const skip = isolation === "wall" && !holds;
  test(`a key that an agent prints (${isolation}) is in no response, export or diff`, { skip }, async (t) => {
    const api = await ApiUnderTest.open();
    t.after(() => api.close());
    const { create, until } = await walledWithKey(t, { dataDir: api.folder, isolation });
    const { id } = await create(sh(`node -e '${script}'`, "cat settings.txt; echo plain > plain.txt"));
    const run = await until(id, hasEnded);
    assert.deepEqual([run.status, run.isolation], ["completed", isolation]);
    const token = await api.token();
    const path = `/v1/organizations/1/agent/run/${id}`;
    for (const part of [
      "",
      "/logs",
      "/diff",
      "/export?format=json",
      "/export?format=markdown",
      "/export?format=html",
    ]) {
      const { status, text } = await api.ask("GET", path + part, { token });
      assert.equal(status, 200, `${part}: ${text}`);
      for (const trace of tracesOf(keptKey)) assert.ok(!text.includes(trace), `${part} has ${trace}`);
      if (part !== "") assert.ok(text.includes(shown), `${part} shows where it was: ${text}`);
    }
  });
}

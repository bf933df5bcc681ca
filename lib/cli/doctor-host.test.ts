// Tier: rest
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { readConfig } from "#lib/config.ts";
import { CodeHost, hostToken } from "#lib/host/code-host.fixture.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";

for (const kind of hostKindsUnderTest) {
  test(`doctor --host ${kind} says what pull requests lack there, and changes nothing`, async (t) => {
    const env = {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "test" as const,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      ERRAND_DATA_DIR: join(temporaryFolder(t), "data"),
      ERRAND_OUTBOUND_ALLOW: "127.0.0.0/8",
    };
    const doctor = async () => {
      const words = [join(import.meta.dirname, "main.ts"), "doctor", "--host", kind];
      const ran = await promisify(execFile)(process.execPath, words, { env }).catch((error) => error);
      return { code: ran.code ?? 0, lines: String(ran.stdout).trimEnd().split("\n"), err: String(ran.stderr) };
    };
    const host = await CodeHost.open(kind);
    t.after(() => host.close());
    await host.createRepository("team/app");
    host.setRules("team/readable", { readOnly: true });
    host.setRules("team/hidden", { hidden: true });
    const config = readConfig(env);
    assert.deepEqual((await doctor()).code, 1);
    const store = await openStore({ file: config.storeFile });
    t.after(() => store.close());
    const { organizationId } = await store.organizations.ensureFirst({ organization: "x", fullName: "x", email: null });
    const access = { organizationId, userId: null };
    const secret = (token: string) =>
      createSeal(config.secretKey).seal(
        JSON.stringify({ token }),
        sealContextOf({ organizationId, type: kind }, "secret"),
      );
    await store.integrations.put(access, kind, { baseUrl: host.baseUrl, secretSealed: secret(hostToken) });
    for (const name of ["app", "readable", "hidden"]) {
      const names = { name, fullName: `team/${name}`, description: null, defaultBranch: "main" };
      await store.repositories.add(access, { ...names, source: `${host.baseUrl}/team/${name}.git` });
    }
    const { code, lines, err } = await doctor();
    assert.deepEqual([code, err], [1, ""]);
    assert.equal(lines[0], `ok  ${host.baseUrl}  acts as errand-bot (user)`);
    assert.deepEqual(lines.slice(1).sort(), [
      "--  team/hidden  the credential cannot see it",
      "--  team/readable  the credential may not push to it, or it is archived",
      "ok  team/app  may be pushed to; 0 checks on main",
    ]);
    assert.deepEqual(new Set(host.requests.map(({ method }) => method)), new Set(["GET"]));
    for (const name of ["readable", "hidden"]) host.setRules(`team/${name}`, { readOnly: false, hidden: false });
    assert.equal((await doctor()).code, 0);
    await store.integrations.put(access, kind, { secretSealed: secret("wrong") });
    const refused = await doctor();
    assert.equal(refused.code, 1);
    assert.match(refused.lines.join("\n"), /^-- {2}\S+ {2}\w+ does not accept the secret \(401\): Bad credentials\.$/);
  });
}

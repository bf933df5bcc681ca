// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";
import { openedPull } from "#lib/web/opened-pull.fixture.ts";

const app = "team/app";

for (const kind of hostKindsUnderTest) {
  test(`${kind}: an event of a pull request, its branch or its checks makes it due now, in any order`, async (t) => {
    const connected = await ConnectedHost.open(kind);
    t.after(() => connected.close());
    const { host, api } = connected;
    host.addPerson("ada", "write");
    await host.createRepository(app);
    const branch = "errand/run-1";
    const commit = await host.pushAs("ada", app, branch, { "b.txt": "two\n" });
    host.pulls.set(8, { branch, baseBranch: "main", fork: null, isOpen: true, repository: app, commit });
    const integration = await api.store.integrations.find(api.home, kind);
    const place = { integrationId: integration?.id ?? 0, fullName: "Team/App", number: 8, headBranch: branch };
    const pull = await openedPull(api, { ...place, headCommit: commit });
    /** Whether something is due; postpones it if so. */
    const isDue = async () => {
      const task = await api.store.pulls.claim(60_000);
      if (task === null) return false;
      assert.equal(task.pull.id, pull.id);
      await api.store.pulls.step(task, { changes: {}, next: { kind: "again", waitMs: 3_600_000 } });
      return true;
    };
    await isDue();
    assert.equal(await isDue(), false);
    const arrives = async (event: { headers: Record<string, string>; body: string }) => {
      const { status, json } = await connected.send(event);
      return [status, json.accepted, await isDue()];
    };

    host.takeEvents();
    host.setCheck(app, commit, { name: "build", conclusion: null });
    host.setCheck(app, commit, { name: "build", conclusion: "failure" });
    host.setCheck(app, "f".repeat(40), { name: "build", conclusion: "failure" });
    await host.actOn(app, 8, "closed", "ada");
    await host.actOn(app, 8, "reopened", "ada");
    const [running, red, elsewhere, closed, reopened] = host.takeEvents();
    assert.ok(running && red && elsewhere && closed && reopened);
    for (const event of [reopened, red, closed, running]) assert.deepEqual(await arrives(event), [202, true, true]);
    assert.deepEqual(await arrives(elsewhere), [202, false, false]);
    assert.deepEqual(await arrives(red), [200, false, false], "once more");
    const headers = { ...red.headers };
    for (const name of Object.keys(headers)) if (/delivery|uuid/.test(name)) headers[name] = "another";
    assert.deepEqual(await arrives({ ...red, headers }), [200, false, false], "once more under another name");

    const repository =
      kind === "gitlab" ? { project: { path_with_namespace: app } } : { repository: { full_name: app } };
    const push = (ref: string) => host.signed(kind === "gitlab" ? "Push Hook" : "push", { ref, ...repository });
    assert.deepEqual(await arrives(push(`refs/heads/${branch}`)), [202, true, true]);
    assert.deepEqual(await arrives(push("refs/heads/main")), [202, false, false]);
    assert.deepEqual(await arrives(push(`refs/tags/${branch}`)), [202, false, false]);
  });
}

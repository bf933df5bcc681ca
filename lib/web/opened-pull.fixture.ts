import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { PullChanges } from "#lib/store/pulls/pull-steps.ts";
import type { ApiUnderTest } from "./api-under-test.ts";
import { pushableRun } from "./pushable-run.fixture.ts";

/** A run's open pull request on the organization's GitHub, as the engine leaves it, at rest. */
export async function openedPull(api: ApiUnderTest, changes: PullChanges = {}): Promise<PullRow> {
  const { store, home } = api;
  const { runId } = await pushableRun(api);
  const { id: integrationId } = await store.integrations.put(home, "github", {});
  const asked = await store.pulls.request(home, runId, { title: null, body: null, draft: null, baseBranch: null });
  if ("refused" in asked) throw new Error(asked.refused);
  for (;;) {
    const task = await store.pulls.claim(60_000);
    if (task === null) throw new Error("nothing is due");
    if (task.pull.runId !== runId) continue;
    const opened: PullChanges = {
      ...{ integrationId, fullName: "acme/shop", number: runId, title: "Fix it", state: "open", verdict: "green" },
      url: `https://github.com/acme/shop/pull/${runId}`,
      openedAt: new Date().toISOString(),
      ...changes,
    };
    await store.pulls.step(task, { changes: opened, next: { kind: "end" } });
    const pull = await store.pulls.find(home, task.pull.id);
    if (pull === null) throw new Error("the pull request is gone");
    return pull;
  }
}

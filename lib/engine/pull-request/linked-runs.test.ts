// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("runs of one pull request link to each other, once, and so do a run and the one whose branch it builds on", async (t) => {
  const of = await openPulls(t);
  const { host, engine, store, access, integration, fullName, repository } = of;
  await of.putSettings({ mode: "automatic" });
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
  engine.start();
  const links = async (runId: number) =>
    (await of.entries(runId)).flatMap(({ message_type, observation }) => {
      const { relation, agent_run_id, web_url } = Object(observation);
      return message_type === "AGENT_RUN_LINK" ? [[relation, agent_run_id, web_url]] : [];
    });
  const page = (id: number) => `https://errand.test/runs/${id}`;
  const first = await of.settle((await of.start(writes("two"))).id);
  assert.deepEqual(await links(first.id), []);

  const second = await of.start(writes("three"), undefined, `errand/run-${first.id}`);
  // An earlier message about that number has started another run.
  const next = (first.pull?.number ?? 0) + 1;
  const conversation = `${fullName}/pull/${next}`;
  const said = { deliveryId: "d-1", kind: "comment", saidKey: "c-1", body: "{}", note: "" };
  await store.conversations.keep(integration.id, said);
  const event = (await store.conversations.claimEvent(60_000)) ?? assert.fail();
  // It changes nothing, so it opens no pull request.
  const run = plainRun(sh("echo four"), { repositoryId: repository.id });
  const begun = await store.conversations.begin(event, { conversation, place: "{}", userId: null, run, entry: null });
  const other = begun?.runId ?? 0;
  const ended = await of.settle(second.id);
  assert.deepEqual([ended.pull?.number, ended.pull?.baseBranch], [next, `errand/run-${first.id}`], of.log.join("\n"));
  assert.deepEqual(await links(second.id), [
    ["same_pull_request", other, page(other)],
    ["builds_on", first.id, page(first.id)],
  ]);
  assert.deepEqual(await links(first.id), [["built_on_by", second.id, page(second.id)]]);
  assert.deepEqual(await links(other), [["same_pull_request", second.id, page(second.id)]]);
  const mates = await Promise.all([first.id, second.id, other].map((id) => store.pulls.findSiblingRuns(access, id)));
  assert.deepEqual(mates, [[], [other], [second.id]], "a ban concerns both of the same pull request");
  const before = await store.runs.find(access, first.id);
  assert.deepEqual(
    [before?.status, before?.finishedAt],
    [first.status, first.finishedAt],
    "an ended run stays as it was",
  );
  await of.request(second.id);
  await of.settle(second.id);
  assert.equal((await links(first.id)).length, 1, "told once");
});

// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { commitAll, git, writeFiles } from "#lib/workspace/test-repository.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("the evaluation fetches first, and its figures are those that the run shows from then on", async (t) => {
  const of = await openPulls(t);
  const { folder, repository } = await of.addFolder();
  of.engine.start();
  const { id } = await of.start(writes("two"), repository.id);
  const before = (await of.settle(id)).changes;
  writeFiles(folder, { theirs: "theirs\n" });
  commitAll(folder, "theirs");
  const evaluate = async () => {
    await of.request(id);
    const { changes, pull } = await of.settle(id);
    const told = (await of.entries(id)).findLast(({ message_type }) => message_type === "COMMIT_EVALUATION");
    return { changes, pull, told: Object(told?.observation) };
  };
  const first = await evaluate();
  assert.deepEqual([first.told.verdict, first.told.behind, first.told.files], ["fit", 1, 1], of.log.join("\n"));
  assert.deepEqual([first.changes, first.told.base], [before, before?.base_commit]);

  git(folder, "merge", "--quiet", "--squash", `errand/run-${id}`);
  commitAll(folder, "squashed");
  const second = await evaluate();
  const { changes, told } = second;
  assert.deepEqual([changes?.files, changes?.in_base_branch, told.files], [1, true, 1], of.log.join("\n"));
  assert.equal(changes?.base_commit, told.base);
  assert.deepEqual(
    told.findings.map(({ rule, refuses }: { rule: string; refuses: boolean }) => [rule, refuses]),
    [["already_merged", false]],
  );
});

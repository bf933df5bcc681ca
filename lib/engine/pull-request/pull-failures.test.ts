// Tier: rest
// One table of failures, each tried the same way: it is longer than other files because the causes are many.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { sh } from "#lib/engine/engine.fixture.ts";
import { hostLogin, hostToken } from "#lib/host/code-host.fixture.ts";
import type { HostKind } from "#lib/host/host.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

type Of = Awaited<ReturnType<typeof openPulls>>;

/**
 * Why a pull request is not opened: `cause` before it is requested, `cure` before it is requested again. `pushed`: the branch is
 * on the host although it failed.
 */
type Failure = {
  code: string;
  name?: string;
  kinds?: readonly HostKind[];
  prompt?: string;
  status?: number;
  message: RegExp;
  hint: RegExp;
  pushed: boolean;
  cause(of: Of, runId: number): unknown;
  cure(of: Of, runId: number): unknown;
};

/** Every host; in the short form one of them, because each host's words have tests of their own (lib/host). */
const everywhere = (short: HostKind): HostKind[] =>
  hostKindsUnderTest.filter((kind) => kind === short || countOf({ short: 0, long: 1 }) === 1);
const branchOf = (runId: number) => `errand/run-${runId}`;
const unprotect = ({ host, fullName }: Of) => host.protect(fullName, {});
const rights = /needs permission to (?:read and )?write/;
const movedHint = /^The code host has it at another address now\. Add the repository again/;
const rule = /^A rule on the code host, such as branch protection, refused it\. Change the rule/;

const failures: Failure[] = [
  {
    ...{ code: "protected", kinds: ["github"], pushed: false, hint: rule },
    message:
      /: GH006: Protected branch update failed for refs\/heads\/errand\/run-\d+\. Changes must be made through a pull/,
    cause: ({ host, fullName }, runId) => host.protect(fullName, { branches: [branchOf(runId)] }),
    cure: unprotect,
  },
  {
    ...{ code: "protected", kinds: ["gitlab"], pushed: false, hint: rule },
    message:
      /GitLab: You are not allowed to push code to protected branches on this project\. \(pre-receive hook declined\)$/,
    cause: ({ host, fullName }, runId) => host.protect(fullName, { branches: [branchOf(runId)] }),
    cure: unprotect,
  },
  {
    ...{ code: "protected", kinds: ["forgejo"], pushed: false, hint: rule },
    message: /Forgejo: Not allowed to push to protected branch errand\/run-\d+ \(pre-receive hook declined\)$/,
    cause: ({ host, fullName }, runId) => host.protect(fullName, { branches: [branchOf(runId)] }),
    cure: unprotect,
  },
  {
    ...{ code: "scope", name: "workflows", kinds: ["github"], pushed: false, hint: rights },
    prompt: sh("mkdir -p .github/workflows; echo a > .github/workflows/ci.yml"),
    message: /Token to create or update workflow `\.github\/workflows\/ci\.yml` without `workflow` scope/,
    cause: ({ host, fullName }) => host.protect(fullName, { workflows: true }),
    cure: unprotect,
  },
  {
    ...{ code: "scope", name: "a read-only token", kinds: everywhere("github"), pushed: false, hint: rights },
    message: /^The remote does not let Errand push: Permission to team\/app\.git denied to errand-bot\./,
    cause: ({ host, fullName }) => host.setRules(fullName, { readOnly: true }),
    cure: ({ host, fullName }) => host.setRules(fullName, { readOnly: false }),
  },
  {
    ...{
      code: "scope",
      name: "no pull requests",
      kinds: everywhere("gitlab"),
      pushed: true,
      status: 403,
      hint: rights,
    },
    message: /refused \(403\): /,
    cause: ({ host }) => host.lacks.add("pulls"),
    cure: ({ host }) => host.lacks.clear(),
  },
  {
    ...{ code: "protected", name: "at opening", kinds: everywhere("forgejo"), pushed: true, hint: rule },
    message: /(?:rule violations|protected)/i,
    cause: ({ host, fullName }) => host.setRules(fullName, { refusesPulls: true }),
    cure: ({ host, fullName }) => host.setRules(fullName, { refusesPulls: false }),
  },
  {
    ...{
      code: "push_refused",
      pushed: false,
      hint: /^A branch there has a name that begins this one's, such as errand\./,
    },
    message: /^The remote rejected the push: cannot lock ref/,
    cause: ({ host, fullName }) => git(host.git.folderOf(fullName) ?? "", "update-ref", "refs/heads/errand", "main"),
    cure: ({ host, fullName }) => git(host.git.folderOf(fullName) ?? "", "update-ref", "-d", "refs/heads/errand"),
  },
  {
    ...{
      code: "not_connected",
      pushed: true,
      message: /no longer connected/,
      hint: /^Connect it under Integrations\.$/,
    },
    cause: (of) => {
      of.host.onPush = async () => void (await of.store.integrations.remove(of.access, "github"));
    },
    cure: async (of) => {
      of.host.onPush = () => undefined;
      await connectAgain(of);
    },
  },
  {
    ...{ code: "host_unclear", pushed: false, hint: /^GitHub and Forgejo are connected, .* its http address\.$/ },
    message: /^It is not clear which code host the repository is on\.$/,
    cause: ({ store, access, integration: { baseUrl, secretSealed } }) =>
      store.integrations.put(access, "forgejo", { baseUrl, secretSealed }),
    cure: ({ store, access }) => store.integrations.remove(access, "forgejo"),
  },
  {
    ...{ code: "unauthorized", name: "a revoked token", pushed: false, hint: /^Enter a new token/ },
    message: /./,
    cause: async (of) => await of.connect("revoked-token-4711"),
    cure: connectAgain,
  },
  {
    ...{ code: "unauthorized", name: "revoked after the push", pushed: true, status: 401, hint: /^Enter a new token/ },
    message: /does not accept the secret \(401\)/,
    cause: (of) => {
      of.host.onPush = () => void of.host.faults.push(...Array.from({ length: 5 }, () => 401));
    },
    cure: ({ host }) => {
      host.onPush = () => undefined;
      host.faults.splice(0);
    },
  },
  {
    ...{
      code: "repository_not_found",
      name: "hidden",
      pushed: false,
      message: /not found|cannot be seen/,
      hint: rights,
    },
    cause: ({ host, fullName }) => host.setRules(fullName, { hidden: true }),
    cure: ({ host, fullName }) => host.setRules(fullName, { hidden: false }),
  },
  {
    ...{ code: "repository_not_found", name: "hidden after the push", pushed: true, hint: rights },
    message: /^team\/app does not exist, or the integration's account cannot see it\.$/,
    cause: (of) => {
      of.host.onPush = () => of.host.setRules(of.fullName, { hidden: true });
    },
    cure: (of) => {
      of.host.onPush = () => undefined;
      of.host.setRules(of.fullName, { hidden: false });
    },
  },
  {
    ...{ code: "repository_moved", pushed: false, status: 301, message: /returned error: 301/, hint: movedHint },
    cause: ({ host, fullName }) => host.setRules(fullName, { moved: true }),
    cure: ({ host, fullName }) => host.setRules(fullName, { moved: false }),
  },
  {
    ...{ code: "repository_moved", name: "after the push", pushed: true, status: 301, hint: movedHint },
    message: /^The address redirects \(301\)\./,
    cause: (of) => {
      of.host.onPush = () => of.host.setRules(of.fullName, { moved: true });
    },
    cure: (of) => {
      of.host.onPush = () => undefined;
      of.host.setRules(of.fullName, { moved: false });
    },
  },
  {
    ...{
      code: "scope",
      name: "not readable",
      pushed: false,
      status: 403,
      message: /returned error: 403/,
      hint: rights,
    },
    cause: ({ host, fullName }) => host.setRules(fullName, { closed: true }),
    cure: ({ host, fullName }) => host.setRules(fullName, { closed: false }),
  },
  {
    ...{
      code: "no_commits",
      pushed: true,
      status: 422,
      message: /No commits between/,
      hint: /already in the base branch/,
    },
    cause: ({ host, fullName }, runId) => {
      host.onPush = async () => {
        host.onPush = () => undefined;
        await host.git.merge(fullName, { branch: branchOf(runId), into: "main", author: "ada" });
      };
    },
    cure: ({ host, fullName }) => git(host.git.folderOf(fullName) ?? "", "update-ref", "refs/heads/main", "main^1"),
  },
  {
    ...{
      code: "no_head",
      // GitLab accepts a missing branch.
      kinds: everywhere("github").filter((kind) => kind !== "gitlab"),
      pushed: false,
      hint: /^The run's branch is not on the code host/,
    },
    message: /head is invalid|does not exist|could not find/,
    cause: ({ host, fullName }, runId) => {
      host.onPush = async () =>
        void (await git(host.git.folderOf(fullName) ?? "", "update-ref", "-d", `refs/heads/${branchOf(runId)}`));
    },
    cure: ({ host }) => {
      host.onPush = () => undefined;
    },
  },
  {
    ...{
      code: "no_branch",
      pushed: true,
      status: 422,
      message: /base is invalid/,
      hint: /^The base branch does not exist/,
    },
    cause: async (of) => await of.putSettings({ base_branch: "gone" }),
    cure: async (of) => await of.putSettings({ base_branch: "main" }),
  },
];

async function connectAgain({ connect, store }: Of): Promise<void> {
  const { id, revision } = await connect(hostToken);
  await store.integrations.noteCheck(id, revision, { active: true, account: hostLogin, accountKind: "user" });
}

for (const failure of failures) {
  for (const kind of failure.kinds ?? (["github"] as const)) {
    const { code, name = "", prompt = writes("two"), status = null, message, hint, pushed } = failure;
    test(`${kind}: ${code} ${name}: the entry says why and what to do, and the next request succeeds`, async (t) => {
      const of = await openPulls(t, kind);
      of.engine.start();
      const run = await of.start(prompt);
      await of.settle(run.id);
      await failure.cause(of, run.id);
      await of.request(run.id);
      const failed = await of.settle(run.id);
      const [entry, ...more] = (await of.entries(run.id)).filter((one) => one.message_type === "PR_CREATION_FAILED");
      assert.equal(more.length, 0);
      const shown = Object(entry?.observation);
      assert.deepEqual(Object.keys(shown).sort(), ["code", "hint", "message", "status"], of.log.join("\n"));
      assert.deepEqual([shown.code, shown.message.length <= 500], [code, true], shown.message);
      if (status !== null) assert.equal(shown.status, status);
      assert.match(shown.message, message);
      assert.match(shown.hint, hint);
      assert.ok(!JSON.stringify(shown).includes(hostToken));
      const { pull } = failed;
      const { message: words, hint: advice } = shown;
      assert.deepEqual(pull?.error, { code, message: words, hint: advice });
      assert.deepEqual([failed.status, pull?.state, pull?.stage, pull?.number], ["completed", "failed", null, null]);
      const branch = branchOf(run.id);
      assert.equal((await of.host.git.headOf(of.fullName, branch)) !== null, pushed, "whether the branch is there");
      assert.equal(of.host.pullsOf(of.fullName).length, 0);

      await failure.cure(of, run.id);
      await of.request(run.id);
      const again = await of.settle(run.id);
      assert.deepEqual([again.status, again.pull?.state, again.pull?.error], ["completed", "open", null]);
      assert.deepEqual(
        of.host.pullsOf(of.fullName).map((one) => one.branch),
        [branch],
      );
    });
  }
}

test("local checks that could not be run: nothing is pushed, and it continues once they are turned off", async (t) => {
  const of = await openPulls(t);
  const { store, engine, host, fullName, repository } = of;
  await store.setups.change(of.access, repository.id, SetupCommands.parse({ test: ["true"] }), null);
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await engine.stop();
  await of.putSettings({ local_checks: "before_push" });
  await of.request(run.id);
  await of.settle(run.id, ({ pull }) => pull?.stage === "testing");
  const claimed = await store.localChecks.claim("another", 60_000);
  assert.ok(claimed !== null);
  const { lease, commit } = claimed;
  await store.localChecks.finish(lease, { commit, problem: "The wall does not hold.", checks: [] });
  const { status, pull } = await of.settle(run.id);
  const message = "The repository's checks could not be run: The wall does not hold.";
  const hint =
    "Correct the repository's test and lint commands, or set “Run the test and lint commands” to Never in its pull request settings.";
  assert.deepEqual(
    [status, pull?.state, pull?.error],
    ["completed", "failed", { code: "checks_not_run", message, hint }],
  );
  assert.deepEqual(await of.told(run.id), ["COMMIT_EVALUATION fit", "PR_CREATION_FAILED checks_not_run"]);
  assert.equal(await host.git.headOf(fullName, branchOf(run.id)), null);
  await of.putSettings({ local_checks: "never" });
  await of.request(run.id);
  assert.deepEqual((await of.settle(run.id)).pull?.state, "open");
});

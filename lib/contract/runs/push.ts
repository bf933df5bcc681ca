import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";

/** How a push ended. */
export const PushStatus = z.enum(["pushed", "up_to_date", "refused"]);

/** Result of a push. */
export const PushResult = z.object({
  status: PushStatus.describe(
    "pushed: the branch is there now; up_to_date: it was already there; refused: nothing was changed, see reason",
  ),
  branch: z.string().describe("The branch; it has the same name in the remote").meta({ example: "errand/run-1" }),
  commit: z.string().describe("The commit of the run's branch"),
  remote: z.string().describe("Where it was pushed to: the repository's source, without secrets"),
  reason: z.string().nullable().describe("Why it was refused, in the words of the remote, or null"),
  hint: z.string().nullable().describe("What to do about the refusal; null if there was none"),
});
z.globalRegistry.add(PushResult, {
  example: { commit: "8f5c1a90d3b24e7f6a1c0b9d8e7f6a5b4c3d2e1f", remote: "https://github.com/acme/shop" },
});
export type PushResult = z.infer<typeof PushResult>;

/** The last push of a run's branch. */
export const LastPush = z.object({
  commit: z.string().describe("The commit that was pushed to the remote's branch"),
  remote: z.string().describe("Where it was pushed to: the repository's source, without secrets"),
  at: Instant.describe("When"),
});
z.globalRegistry.add(LastPush, {
  example: { commit: "9fceb02d0ae598e95dc970b74767f19372d61af8", remote: "https://github.com/acme/shop" },
});
export type LastPush = z.infer<typeof LastPush>;

export const pushRun = defineOperation({
  id: "pushRun",
  summary: "Push a run's branch to the repository it came from",
  description:
    "Pushes the run's commits to the branch `errand/run-{id}` of the repository's source, a remote or a folder on the server. Other people's commits are never overwritten: if someone else has moved the branch, the push is refused. Where the source is on a connected code host, the integration's token is used, otherwise the credentials that the mirror is fetched with. Git hooks of a folder do not run. The commits are pushed as they are: the checks before a pull request, such as for keys, are not run. Then the repository is fetched, and the run's `changes` are measured against its state. A run without a repository or commits gives 409, and so does a source that cannot be read now.",
  scope: "repos:write",
  act: "push",
  rateClass: "edit",
  refusals: ["conflict"],
  params: RunParams,
  result: PushResult,
  idempotent: "repeatable",
});

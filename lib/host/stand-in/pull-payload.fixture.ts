import { userOf } from "./comment-payload.fixture.ts";
import { presentedRun } from "./github-checks-rest.fixture.ts";
import type { HostState, KeptCheck, Person, Pull } from "./host-state.fixture.ts";

/** Kind of change of a pull request. */
export type PullAct = "opened" | "synchronize" | "closed" | "merged" | "reopened";
type Payload = { name: string; payload: object };
type Numbered = Pull & { number: number };
type Known = Person & { login: string };

/** The event of a pull request, as the host sends it. */
export function pullPayload(
  state: HostState,
  {
    fullName,
    pull,
    act,
    by,
    commit,
    url,
  }: { fullName: string; pull: Numbered; act: PullAct; by: Known; commit: string; url: string },
): Payload {
  const texts = { title: pull.title ?? `Pull request ${pull.number}`, body: pull.body ?? "" };
  const at = new Date().toISOString();
  if (state.kind === "gitlab") {
    const action = { opened: "open", synchronize: "update", closed: "close", merged: "merge", reopened: "reopen" }[act];
    return {
      name: "Merge Request Hook",
      payload: {
        object_kind: "merge_request",
        user: { id: by.id, username: by.login },
        project: { path_with_namespace: fullName },
        object_attributes: {
          id: 10_000 + pull.number,
          iid: pull.number,
          title: texts.title,
          description: texts.body,
          state: pull.isMerged === true ? "merged" : pull.isOpen ? "opened" : "closed",
          action,
          source_branch: pull.branch,
          target_branch: pull.baseBranch,
          last_commit: { id: commit },
          url,
          created_at: at,
          updated_at: at,
          ...(act === "synchronize" ? { oldrev: "0".repeat(40) } : {}),
        },
      },
    };
  }
  const isMerged = pull.isMerged === true;
  const action = act === "merged" ? "closed" : act;
  const pull_request = {
    number: pull.number,
    ...texts,
    html_url: url,
    state: pull.isOpen && !isMerged ? "open" : "closed",
    merged: isMerged,
    merged_at: isMerged ? at : null,
    head: { ref: pull.branch, sha: commit, repo: { full_name: pull.fork ?? fullName } },
    base: { ref: pull.baseBranch, repo: { full_name: fullName } },
    user: { id: 1, login: pull.author ?? "somebody" },
    created_at: at,
    updated_at: at,
  };
  return {
    name: "pull_request",
    payload: {
      action: state.kind === "forgejo" && action === "synchronize" ? "synchronized" : action,
      number: pull.number,
      pull_request,
      repository: { full_name: fullName },
      sender: userOf(by),
    },
  };
}

/** The event of a check: a check run or status (GitHub), the job's pipeline (GitLab), a status (Forgejo). */
export function checkPayload(
  { kind }: HostState,
  check: KeptCheck,
  { baseUrl, branch, number }: { baseUrl: string; branch: string; number: number | null },
): Payload {
  const repository = { full_name: check.repository };
  const isOver = check.conclusion !== null;
  if (kind === "gitlab") {
    const status = !isOver ? "running" : check.conclusion === "success" ? "success" : "failed";
    return {
      name: "Pipeline Hook",
      payload: {
        object_kind: "pipeline",
        object_attributes: { id: check.id, iid: 1, ref: branch, sha: check.commit, status, source: "push" },
        merge_request: number === null ? null : { id: 10_000 + number, iid: number, source_branch: branch },
        user: { id: 3, username: "somebody" },
        project: { path_with_namespace: check.repository },
        builds: [{ id: check.id, name: check.name, status, allow_failure: false }],
      },
    };
  }
  if (kind === "forgejo" || check.isStatus) {
    const state = !isOver ? "pending" : check.conclusion === "success" ? "success" : "failure";
    return {
      name: "status",
      payload: {
        id: check.id,
        sha: check.commit,
        context: check.name,
        state,
        branches: [{ name: branch }],
        repository,
      },
    };
  }
  const run = presentedRun(check, { fullName: check.repository, baseUrl });
  const pull_requests = number === null ? [] : [{ number, head: { ref: branch, sha: check.commit } }];
  return {
    name: "check_run",
    payload: {
      action: isOver ? "completed" : "created",
      check_run: { ...run, pull_requests, check_suite: { id: 1, head_branch: branch, head_sha: check.commit } },
      repository,
      sender: { id: 2, login: `${check.app}[bot]`, type: "Bot" },
    },
  };
}

/** A remark of a review at a line. */
export type ReviewThread = { path: string; line: number; body: string };

/** The events of a review, in the order in which the host sends them: GitHub also sends one for each remark. */
export function reviewPayloads(
  state: HostState,
  review: {
    fullName: string;
    pull: Numbered;
    by: Known;
    ids: readonly number[];
    verdict: "approved" | "changes_requested" | "commented";
    body: string;
    threads: readonly ReviewThread[];
    commit: string;
    url: string;
    at: string;
  },
): Payload[] {
  const { fullName, by, pull, ids, verdict, body, threads, commit, url, at } = review;
  const [id = 0, ...threadIds] = ids;
  const named = (place: number) => threads[place] ?? { path: "", line: 1, body: "" };
  if (state.kind === "gitlab") {
    return threadIds.map((noteId, place) => ({
      name: "Note Hook",
      payload: {
        object_kind: "note",
        user: { id: by.id, username: by.login },
        project: { path_with_namespace: fullName },
        object_attributes: {
          id: noteId,
          note: named(place).body,
          noteable_type: "MergeRequest",
          type: "DiffNote",
          discussion_id: `discussion-${noteId}`,
          action: "create",
          system: false,
          created_at: at,
          url: `${url}#note_${noteId}`,
          position: { new_path: named(place).path, new_line: named(place).line },
        },
        merge_request: { iid: pull.number, title: pull.title ?? "", description: pull.body ?? "" },
      },
    }));
  }
  const common = pullPayload(state, { fullName, pull, act: "opened", by, commit, url }).payload as {
    pull_request: object;
  };
  // A review updates its pull request.
  const updated = { ...common.pull_request, updated_at: at };
  const shared = { pull_request: updated, repository: { full_name: fullName }, sender: userOf(by) };
  if (state.kind === "forgejo") {
    const names = {
      approved: "pull_request_approved",
      changes_requested: "pull_request_rejected",
      commented: "pull_request_comment",
    };
    const type = names[verdict].replace("pull_request_", "pull_request_review_");
    return [{ name: names[verdict], payload: { action: "reviewed", ...shared, review: { type, content: body } } }];
  }
  const user = userOf(by);
  const reviewed = {
    id,
    state: verdict,
    body,
    user,
    html_url: `${url}#review-${id}`,
    submitted_at: at,
    commit_id: commit,
  };
  return [
    { name: "pull_request_review", payload: { action: "submitted", review: reviewed, ...shared } },
    ...threadIds.map((commentId, place) => ({
      name: "pull_request_review_comment",
      payload: {
        action: "created",
        comment: {
          id: commentId,
          pull_request_review_id: id,
          ...named(place),
          user,
          html_url: `${url}#discussion_r${commentId}`,
          created_at: at,
          updated_at: at,
        },
        ...shared,
      },
    })),
  ];
}

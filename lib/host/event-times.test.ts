import assert from "node:assert/strict";
import { test } from "node:test";
import { readForgejoEvent } from "./forgejo/events.ts";
import { readGithubEvent } from "./github/events.ts";
import { readGitlabEvent } from "./gitlab/events.ts";
import { type HostEvent, replayOf } from "./host-event.ts";

const [early, late] = ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"];
const lateAsIs = "2026-11-21T10:00:00.000Z";

const user = { id: 1, login: "ada", type: "User" };
const subject = { number: 7, title: "", body: "", html_url: "https://h/7", user, created_at: early, updated_at: early };
const said = { id: 9, body: "@errand", html_url: "https://h/7#9", user };
const repository = { full_name: "team/app" };
const opened = { ...subject, created_at: late, updated_at: late };

const events: Record<string, HostEvent | null> = {
  "github issues": readGithubEvent("issues", { action: "opened", issue: opened, repository }),
  "github pull_request": readGithubEvent("pull_request", { action: "opened", pull_request: opened, repository }),
  "github issue_comment": readGithubEvent("issue_comment", {
    action: "created",
    issue: subject,
    comment: { ...said, created_at: late, updated_at: late },
    repository,
  }),
  "github pull_request_review": readGithubEvent("pull_request_review", {
    action: "submitted",
    pull_request: subject,
    review: { ...said, submitted_at: late },
    repository,
  }),
  "github pull_request_review_comment, submitted a day after it was written": readGithubEvent(
    "pull_request_review_comment",
    {
      action: "created",
      pull_request: subject,
      comment: { ...said, created_at: early, updated_at: late },
      repository,
    },
  ),
  "gitlab Issue Hook": gitlabOpened("Issue Hook", "2026-11-21 10:00:00 UTC"),
  "gitlab Merge Request Hook": gitlabOpened("Merge Request Hook", late),
  "gitlab Note Hook": readGitlabEvent("Note Hook", {
    user: { id: 1, username: "ada" },
    project: { path_with_namespace: "team/app" },
    object_attributes: {
      id: 9,
      note: "@errand",
      noteable_type: "Issue",
      url: "https://h/7#9",
      created_at: "2026-11-21 11:00:00 +0100",
    },
    issue: { iid: 7 },
  }),
  "forgejo issues": readForgejoEvent("issues", { action: "opened", issue: opened, repository }, "d"),
  "forgejo pull_request": readForgejoEvent("pull_request", { action: "opened", pull_request: opened, repository }, "d"),
  "forgejo issue_comment": readForgejoEvent(
    "issue_comment",
    {
      action: "created",
      issue: subject,
      comment: { ...said, created_at: "2026-11-21T11:00:00+01:00" },
      repository,
    },
    "d",
  ),
  "forgejo pull_request_approved": readForgejoEvent(
    "pull_request_approved",
    {
      action: "reviewed",
      pull_request: { ...subject, updated_at: late },
      review: { content: "@errand" },
      sender: user,
      repository,
    },
    "d",
  ),
};

function gitlabOpened(name: string, created_at: string): HostEvent | null {
  return readGitlabEvent(name, {
    user: { id: 1, username: "ada" },
    project: { path_with_namespace: "team/app" },
    object_attributes: { id: 3, iid: 7, action: "open", url: "https://h/7", created_at },
  });
}

for (const [name, event] of Object.entries(events)) {
  test(`${name}: the time of the message is read, and limits how long its event is accepted`, () => {
    assert.ok(event !== null);
    assert.equal(event.saidAt, lateAsIs);
    const at = (iso: string, minutes: number) => new Date(Date.parse(iso) + minutes * 60_000);
    const month = 30 * 24 * 60;
    assert.equal(replayOf(event, at(late, 5).toISOString(), at(late, 6).getTime()), null);
    assert.match(replayOf(event, at(late, 6).toISOString(), at(late, 7).getTime()) ?? "", /before .* connected$/);
    assert.equal(replayOf(event, early, at(late, month + 5).getTime()), null);
    assert.match(replayOf(event, early, at(late, month + 6).getTime()) ?? "", /more than 30 days ago$/);
    assert.match(replayOf({ ...event, saidAt: null }, early, at(late, 1).getTime()) ?? "", /does not say when/);
  });
}

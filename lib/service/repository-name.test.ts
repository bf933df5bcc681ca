import assert from "node:assert/strict";
import { test } from "node:test";
import { integrationUnderTest } from "#lib/host/integration.fixture.ts";
import { nameOfSource } from "./repository-name.ts";

test("a source suggests its last part as name, and as full name its whole path, or the last two parts of a folder", () => {
  const names = (source: string) => Object.values(nameOfSource(source));
  assert.deepEqual(names("/srv/git/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("/srv/my project/.git"), ["my project", "srv/my project"]);
  assert.deepEqual(names("/project"), ["project", "project"]);
  assert.deepEqual(names("https://github.com/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("https://user:secret@host/group/sub/project"), ["project", "group/sub/project"]);
  assert.deepEqual(names("ssh://git@host:22/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("git@github.com:owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("git@github.com:owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("git@host:a/x/sub2/p.git"), ["p", "a/x/sub2/p"]);
  assert.deepEqual(names("https://host/b//x/P.GIT/"), ["P", "b/x/P"]);
  assert.deepEqual(names("git@host:project"), ["project", "project"]);
  assert.deepEqual(names("/"), ["repository", "repository"]);
});

test("the full name of a repository on a connected host has no part of the host's own path", () => {
  const connected = [integrationUnderTest("gitlab", "https://dev.corp/gitlab")];
  const fullName = (source: string) => nameOfSource(source, connected).fullName;
  assert.equal(fullName("https://dev.corp/gitlab/Team/App.git"), "Team/App");
  assert.equal(fullName("https://dev.corp/gitlab/Team/sub/App.git"), "Team/sub/App");
  assert.equal(fullName("git@dev.corp:Team/sub/App.git"), "Team/sub/App");
  assert.equal(fullName("https://dev.corp/gitea/Team/App.git"), "gitea/Team/App");
});

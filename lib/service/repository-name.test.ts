import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOfSource } from "./repository-name.ts";

test("a source suggests its last part as name and the last two as full name", () => {
  const names = (source: string) => Object.values(nameOfSource(source));
  assert.deepEqual(names("/srv/git/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("/srv/my project/.git"), ["my project", "srv/my project"]);
  assert.deepEqual(names("/project"), ["project", "project"]);
  assert.deepEqual(names("https://github.com/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("https://user:secret@host/group/sub/project"), ["project", "sub/project"]);
  assert.deepEqual(names("ssh://git@host:22/owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("git@github.com:owner/project.git"), ["project", "owner/project"]);
  assert.deepEqual(names("git@host:project"), ["project", "project"]);
  assert.deepEqual(names("/"), ["repository", "repository"]);
});

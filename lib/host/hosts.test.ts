import assert from "node:assert/strict";
import { test } from "node:test";
import { isRemoteOf, placeOfRemote } from "./host.ts";

test("a remote leads to its host and repository, however it is written", () => {
  const place = { host: "git.example", fullName: "team/app" };
  for (const source of [
    "https://git.example/Team/App.git",
    "https://me:secret@git.example/team/app/",
    "http://git.example:8080/team/app",
    "ssh://git@git.example:22/team/app.git",
    "git@git.example:team/app.git",
    "git.example:team/app",
    "git://git.example/team/app",
  ]) {
    assert.deepEqual(placeOfRemote(source), place, source);
  }
  for (const source of ["/srv/git/team/app", "https://git.example/app", "", "C:", "https://", "file:///srv/team/app"]) {
    assert.equal(placeOfRemote(source), null, source);
  }
});

test("a repository is that of a host only at the very same name and address", () => {
  const is = (source: string, base = "https://git.example") => isRemoteOf(source, base, "Team/App");
  assert.ok(is("git@git.example:team/app.git"));
  assert.ok(is("https://git.example:8443/team/app", "https://git.example:8443"));
  assert.ok(is("ssh://git@ssh.github.com:443/team/app.git", "https://github.com"));
  assert.ok(is("https://example.com/git/team/app", "https://example.com/git"));
  for (const source of [
    "https://git.example.evil/team/app",
    "https://evil.example/git.example/team/app",
    "https://git.example/team/app2",
    "https://git.example/other/team/app",
    "git@xgit.example:team/app",
    "/srv/team/app",
  ]) {
    assert.equal(is(source), false, source);
  }
});

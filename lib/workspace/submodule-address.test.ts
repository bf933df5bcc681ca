import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveSubmodule } from "./submodule-address.ts";

test("a submodule's address is resolved as git does, and is never a folder or a server that only ssh reaches", () => {
  const web = "https://git.corp:8443/team/app.git";
  const folder = { refused: "its address is relative to a folder on the server" };
  const elsewhere = { refused: "its address is not http or https, and it is on another host" };
  const invalid = { refused: "its address in .gitmodules is not valid" };
  for (const [url, parent, expected] of [
    ["https://other.test/lib.git", web, { source: "https://other.test/lib.git" }],
    ["https://other.test/lib.git", "/srv/app", { source: "https://other.test/lib.git" }],
    ["../lib.git", web, { source: "https://git.corp:8443/team/lib.git" }],
    ["../../other/lib.git", `${web}/`, { source: "https://git.corp:8443/other/lib.git" }],
    ["./lib.git", web, { source: "https://git.corp:8443/team/app.git/lib.git" }],
    ["../lib.git", "git@git.corp:team/app.git", { source: "git@git.corp:team/lib.git" }],
    ["../lib.git", "ssh://git@git.corp:2222/team/app.git", { source: "ssh://git@git.corp:2222/team/lib.git" }],
    ["git@git.corp:team/lib.git", web, { source: "https://git.corp:8443/team/lib.git" }],
    ["ssh://git@GIT.corp:2222/team/lib.git", web, { source: "https://git.corp:8443/team/lib.git" }],
    ["git@git.corp:team/lib.git", "git@git.corp:team/app.git", { source: "git@git.corp:team/lib.git" }],
    ["git@other.test:team/lib.git", web, elsewhere],
    ["git@other.test:team/lib.git", "/srv/app", elsewhere],
    ["git://other.test/lib.git", web, elsewhere],
    ["../lib", "/srv/app", folder],
    ["../lib", "file:///srv/app", folder],
    ["/srv/secret", web, { refused: "its address is a folder" }],
    ["file:///srv/secret", web, { refused: "its address is a folder" }],
    ["ext::sh -c id", web, invalid],
    ["--upload-pack=id", web, invalid],
    ["", web, invalid],
  ] as const) {
    assert.deepEqual(resolveSubmodule(url, parent), expected, `${url} in ${parent}`);
  }
});

test("on a host that is served below a path, ssh addresses are below that path, and relative ones stay there", () => {
  const parent = "https://dev.corp/gitlab/team/sub/app.git";
  const wanted = { source: "https://dev.corp/gitlab/team/lib.git" };
  for (const base of ["https://dev.corp/gitlab", "https://dev.corp/gitlab/"]) {
    assert.deepEqual(resolveSubmodule("git@dev.corp:team/lib.git", parent, base), wanted);
    assert.deepEqual(resolveSubmodule("ssh://git@dev.corp:2222/team/lib.git", parent, base), wanted);
    assert.deepEqual(resolveSubmodule("../../lib.git", parent, base), wanted);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { findGitAuthorization } from "./git-authorization.ts";
import { integrationUnderTest, sealUnderTest as seal } from "./integration.fixture.ts";
import { findPullTarget } from "./pull-target.ts";
import { nameOnHost } from "./remote-name.ts";

const github = { baseUrl: "https://git.example", type: "github" } as const;
const gitlab = { baseUrl: "https://git.example", type: "gitlab" } as const;

test("an address leads to its repository on a host, however it is written", () => {
  for (const source of [
    "https://git.example/Team/App.git",
    "HTTPS://GIT.example:443//team/app.git/",
    "https://me:secret@git.example/team/app/",
    "https://git.example/te%61m/app",
    "https://git.example/other/../team/app.GIT",
    "ssh://git@git.example:2222/team/app.git",
    "ssh://git@GIT.example/team/app",
    "git@git.example:team/app.git",
    "git@git.example:/team/app.git/",
    "Git.Example:team/app",
    "git://git.example/team/app",
    "ssh://git@ssh.git.example:443/team/app.git",
    "ssh://git@altssh.git.example:443/team/app.git",
  ]) {
    assert.equal(nameOnHost(source, github), "team/app", source);
  }
  for (const [source, baseUrl] of [
    ["http://[::1]:3000/team/app", "http://[0:0:0:0:0:0:0:1]:3000"],
    ["ssh://git@[::1]:22/team/app", "http://[::1]:3000"],
    ["https://bücher.example/team/app", "https://xn--bcher-kva.example"],
    ["git@bücher.example:team/app", "https://bücher.example"],
    ["ssh://git@bücher.example/team/app", "https://bücher.example"],
    ["http://git.corp:80/team/app", "http://git.corp/"],
  ] as const) {
    assert.equal(nameOnHost(source, { baseUrl, type: "github" }), "team/app", source);
  }
  assert.equal(nameOnHost("https://git.example/Group/sub/sub2/p.git", gitlab), "group/sub/sub2/p");
  assert.equal(nameOnHost("git@git.example:group/sub/sub2/p.git", gitlab), "group/sub/sub2/p");
});

test("over http, scheme, host, port and path must be the host's", () => {
  for (const source of [
    "http://git.example/team/app",
    "https://git.example:8443/team/app",
    "https://www.git.example/team/app",
    "https://git.example.evil/team/app",
    "https://evil.example/git.example/team/app",
    "https://git.example@evil.example/team/app",
    "https://git.example/app",
    "https://git.example/",
    "https://",
    "git@xgit.example:team/app",
    "git@git.example.evil:team/app",
    "/srv/git.example/team/app",
    "file:///srv/team/app",
    "C:",
    "",
  ]) {
    assert.equal(nameOnHost(source, gitlab), null, source);
  }
  // GitHub and Forgejo have no groups within groups.
  assert.equal(nameOnHost("https://git.example/gitlab/team/app", github), null);
  assert.equal(nameOnHost("git@git.example:srv/team/app", { ...github, type: "forgejo" }), null);
});

test("an installation under a path has the repositories below that path, and ssh does not know the path", () => {
  const at = (source: string, baseUrl = "https://dev.corp/gitlab") => nameOnHost(source, { baseUrl, type: "gitlab" });
  assert.equal(at("https://dev.corp/gitlab/team/app.git"), "team/app");
  assert.equal(at("https://dev.corp/gitlab//team/sub/app.git"), "team/sub/app");
  assert.equal(at("https://dev.corp/gitlab/gitlab/app"), "gitlab/app");
  assert.equal(at("git@dev.corp:team/app.git"), "team/app");
  assert.equal(at("git@dev.corp:gitlab/app.git"), "gitlab/app");
  assert.equal(at("https://dev.corp/a/b/team/app", "https://dev.corp/a/b/"), "team/app");
  for (const source of [
    "https://dev.corp/gitea/team/app.git",
    "https://dev.corp/gitlab2/team/app.git",
    "https://dev.corp/GitLab/team/app.git",
    "https://dev.corp/gitlab/app.git",
    "https://dev.corp/gitlab/../gitea/team/app.git",
    "https://dev.corp/gitlab/..%2Fgitea/team/app.git",
    "https://dev.corp/gitlab/%2e%2e/gitea/team/app.git",
    "https://dev.corp/gitlab/..%5Cgitea/team/app.git",
    "https://dev.corp/gitlab/%252e%252e/team/app.git",
    "https://dev.corp/gitlab/%ff/app.git",
  ]) {
    assert.equal(at(source), null, source);
  }
});

test("of several hosts on one machine the address names one, in pull requests as in git's credential", async () => {
  const byPort = [
    integrationUnderTest("github", "http://10.0.0.1:8080"),
    integrationUnderTest("gitlab", "http://10.0.0.1:8081"),
    integrationUnderTest("forgejo", "http://10.0.0.1:8082"),
  ];
  const byPath = [
    integrationUnderTest("gitlab", "https://dev.corp"),
    integrationUnderTest("forgejo", "https://dev.corp/gitea"),
    integrationUnderTest("github", "https://dev.corp/hub"),
  ];
  const send = () => assert.fail("nothing is sent");
  for (const [source, rows, type, fullName] of [
    ["http://10.0.0.1:8080/team/app.git", byPort, "github", "team/app"],
    ["http://10.0.0.1:8081/team/app.git", byPort, "gitlab", "team/app"],
    ["http://10.0.0.1:8082/team/app.git", byPort, "forgejo", "team/app"],
    ["http://10.0.0.1:8083/team/app.git", byPort, null, null],
    ["https://10.0.0.1:8080/team/app.git", byPort, null, null],
    ["https://dev.corp/gitea/team/app", byPath, "forgejo", "team/app"],
    ["https://dev.corp/hub/team/app", byPath, "github", "team/app"],
    ["https://dev.corp/team/app", byPath, "gitlab", "team/app"],
    ["https://dev.corp/gitea/app", byPath, "gitlab", "gitea/app"],
  ] as const) {
    const found = findPullTarget(rows, source);
    assert.deepEqual([found.type, "fullName" in found ? found.fullName : null], [type, fullName], source);
    const given = await findGitAuthorization(rows, source, { seal, send }, AbortSignal.timeout(60_000));
    const pair = type === null ? null : `Basic ${btoa(`x-access-token:of ${type}`)}`;
    assert.equal(given?.header ?? null, pair, source);
    const base = rows.find((row) => row.type === type)?.baseUrl ?? null;
    assert.equal(given?.base ?? null, base, source);
  }
});

test("where an address may be on several hosts, none is taken, and a known one stays", () => {
  const rows = [
    integrationUnderTest("gitlab", "http://git.corp:8081"),
    integrationUnderTest("forgejo", "http://git.corp:8082"),
  ];
  const unclear = findPullTarget(rows, "git@git.corp:team/app.git");
  assert.deepEqual([unclear.kind, unclear.type], ["unclear", null]);
  assert.ok(unclear.kind === "unclear");
  assert.match(unclear.why, /GitLab and Forgejo.*http/);
  const known = findPullTarget(rows, "git@git.corp:team/app.git", 3);
  assert.equal(known.type, "forgejo");
  // Only GitLab has groups within groups.
  assert.equal(findPullTarget(rows, "git@git.corp:team/sub/app.git").type, "gitlab");
  const twins = [
    integrationUnderTest("gitlab", "https://git.corp"),
    integrationUnderTest("forgejo", "https://git.corp/"),
  ];
  assert.equal(findPullTarget(twins, "https://git.corp/team/app.git").kind, "unclear");
  // A host that is not connected is no rival of a connected one.
  const own = [integrationUnderTest("forgejo", "https://github.com")];
  assert.equal(findPullTarget(own, "git@github.com:team/app.git").type, "forgejo");
  assert.deepEqual(findPullTarget([], "https://github.com/team/app"), {
    ...{ kind: "host", type: "github", integration: null, fullName: "team/app" },
  });
  assert.equal(findPullTarget([], "git@elsewhere.example:team/app").kind, "remote");
});

test("git's credential goes to no address that names a user", async () => {
  const rows = [integrationUnderTest("github", "https://git.example")];
  const parts = { seal, send: () => assert.fail("nothing is sent") };
  for (const source of [
    "https://me@git.example/team/app",
    "https://me:x@git.example/team/app",
    "git@git.example:team/app",
  ])
    assert.equal(await findGitAuthorization(rows, source, parts, AbortSignal.timeout(60_000)), null, source);
});

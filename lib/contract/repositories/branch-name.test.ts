import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { branchNameProblem } from "./branch-name.ts";

const names = [
  ..."main,feature/x,a.b,emoji-🧭,x@y,@x,a@,ä,a-,a/b/c,UPPER,1,a{b,a@b{".split(","),
  ..."a..b,a b,a~b,a^b,a:b,a?b,a*b,a[b,a\\b,/a,a/,a//b,.a,a/.b,a.,a.lock,a.lock/b,a@{b,@{,a/b.lock".split(","),
  "a\tb",
  "a\nb",
  "a\u0001b",
  "a\u007fb",
  "",
];

test("a branch name is accepted exactly when git accepts it", () => {
  for (const name of names) {
    const { status } = spawnSync("git", ["check-ref-format", `refs/heads/${name}`]);
    assert.equal(branchNameProblem(name) === null, status === 0, JSON.stringify(name));
  }
});

test("names that git would misread are refused with their rule", () => {
  for (const [name, rule] of [
    ["-x", /begin with a dash/],
    ["HEAD", /HEAD/],
    ["@", /@/],
    ["a\0b", /control/],
    ["x".repeat(245), /244 bytes/],
    ["ü".repeat(123), /244 bytes/],
  ] as const) {
    assert.match(branchNameProblem(name) ?? "", rule);
  }
  assert.notEqual(branchNameProblem("\ud800"), null);
  assert.equal(branchNameProblem("x".repeat(244)), null);
});

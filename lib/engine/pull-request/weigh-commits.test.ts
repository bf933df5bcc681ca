import assert from "node:assert/strict";
import { test } from "node:test";
import { quietWords } from "#lib/host/quiet-words.ts";
import type { ChangedPath } from "#lib/workspace/parse-log.ts";
import type { RunWork } from "#lib/workspace/run-work.ts";
import { refusalWords, weigh } from "./weigh-commits.ts";

const path = (name: string, more: Partial<ChangedPath> = {}): ChangedPath => ({
  ...{ path: name, status: "modified", mode: "100644", bytes: 10, target: null, isUnknownLink: false },
  ...more,
});
const line = (text: string, at = 1) => ({ path: "a.txt", line: at, text });
const nothing = { changed: [], added: [], passing: [], passingFiles: [], binaries: [], messages: [], isCut: false };
const found = (changed: ChangedPath[], added: RunWork["added"] = []) => {
  const { verdict, findings } = weigh({ ...nothing, changed, added }, (text) => text.includes("KEY"));
  return [verdict, ...findings.map(({ rule }) => rule)];
};

test("commits are refused for what nobody wants pushed, and the rest is only reported", () => {
  const cases: [unknown[], unknown[]][] = [
    [found([path("a.txt")], [line("fine")]), ["fit"]],
    [found([path("a.txt")], [line("<<<<<<< HEAD"), line(">>>>>>> main", 5)]), ["refused", "conflict_marker"]],
    [found([path("a.md")], [line("<<<<<<< and >>>>>>> mark a conflict"), line("=======")]), ["fit"]],
    [found([path("a.txt")], [line("KEY")]), ["refused", "secret"]],
    [found([path("a.bin", { bytes: 10 * 1024 * 1024 })]), ["fit"]],
    [found([path("a.bin", { bytes: 10 * 1024 * 1024 + 1 })]), ["refused", "large_file"]],
    [found([path("a/b", { mode: "120000", target: "../c" })]), ["fit"]],
    [found([path("a/b", { mode: "120000", target: "../../c" })]), ["refused", "link_outside"]],
    [found([path("b", { mode: "120000", target: "/etc/passwd" })]), ["refused", "link_outside"]],
    [found([path("lib", { mode: "160000", isUnknownLink: true })]), ["refused", "unknown_repository"]],
    [found([path("lib", { mode: "160000" })]), ["fit", "submodule_changed"]],
    [found([path("node_modules/x/index.js"), path("src/__pycache__/a.pyc")]), ["refused", "only_generated"]],
    [found([path("node_modules/x/index.js"), path("a.txt")]), ["fit"]],
    [found([path("lib/a.test.ts", { status: "deleted", mode: null, bytes: null })]), ["fit", "tests_deleted"]],
    [found([path(".github/workflows/ci.yml")]), ["fit", "workflow_changed"]],
    [found([path("a.js")], [line('if (l != "user\u202E \u2066// admin\u2069 \u2066")')]), ["fit", "hidden_characters"]],
    [
      found([path("a.js")], [line("let p\u0430ypal = 1"), line("Комментарий: Straße, Δx")]),
      ["fit", "look_alike_letters"],
    ],
    [found([path("a.cs")], [line("\uFEFFusing System;"), line("// می‌خواهم 👩‍👧")]), ["fit"]],
    [found([path("up\u202Egnp")]), ["fit", "hidden_characters"]],
    [found([]), ["fit"]],
  ];
  for (const [at, [is, wanted]] of cases.entries()) assert.deepEqual(is, wanted, `case ${at}`);
});

test("of many findings of a rule only some are reported, and the commits are refused all the same", () => {
  const many = Array.from({ length: 500 }, (_, at) => line("KEY", at + 1));
  const { verdict, findings } = weigh({ ...nothing, changed: [path("a.txt")], added: many }, () => true);
  assert.deepEqual([verdict, findings.length], ["refused", 20]);
});

test("a key that a later commit has removed also refuses the commits, and the finding names the commit that has it", () => {
  const commit = "c0ffee".repeat(6);
  const passing = [
    { ...line("fine", 1), commit },
    { ...line("KEY", 2), commit },
  ];
  const { verdict, findings } = weigh({ ...nothing, changed: [path("b.txt")], passing }, (text) => text === "KEY");
  assert.deepEqual([verdict, findings.length], ["refused", 1]);
  assert.match(refusalWords(findings), /^a\.txt:2: commit c0ffeec0ff contains what looks like a key/);
});

test("a key in a file that is no text refuses the commits, whether or not a later commit has removed it", () => {
  for (const commit of [null, "c0ffee".repeat(6)]) {
    const ofLine = (text: string) =>
      weigh({ ...nothing, binaries: [{ path: "a.bin", commit, lines: ["fine", text] }] }, (one) => one === "KEY");
    assert.equal(ofLine("\u202E").verdict, "fit");
    const { verdict, findings } = ofLine("KEY");
    assert.deepEqual([verdict, findings.map(({ rule, path }) => [rule, path])], ["refused", [["secret", "a.bin"]]]);
  }
});

test("a large file that a later commit has removed also refuses the commits", () => {
  const commit = "c0ffee".repeat(6);
  const ofSize = (bytes: number) =>
    weigh({ ...nothing, passingFiles: [{ path: "a.bin", bytes, commit }] }, () => false);
  assert.equal(ofSize(10 * 1024 * 1024).verdict, "fit");
  const { verdict, findings } = ofSize(12 * 1024 * 1024);
  assert.deepEqual([verdict, findings.map(({ rule }) => rule)], ["refused", ["large_file"]]);
  assert.match(findings[0]?.detail ?? "", /^12 MB, .* in commit c0ffeec0ff;/);
});

test("a key in a commit's message, author or committer refuses the commits too", () => {
  const header = "author Ada <ada@example.com> 1 +0000\ncommitter Ada <ada@example.com> 1 +0000";
  for (const key of [
    { header, text: "Use it\n\nKEY\n" },
    { header: header.replace("author Ada", "author KEY"), text: "Fine\n" },
    { header: header.replace("committer Ada <ada", "committer Ada <KEY"), text: "Fine\n" },
  ]) {
    const messages = [
      { commit: "aaaaaaaaaaaa", header, text: "Fine\n" },
      { commit: "c0ffeec0ff33", ...key },
    ];
    const work = { ...nothing, changed: [path("a.txt")], messages };
    const { verdict, findings } = weigh(work, (text) => text.includes("KEY"));
    assert.deepEqual([verdict, findings.length], ["refused", 1]);
    assert.match(
      refusalWords(findings),
      /^c0ffeec0ff: the commit's message, author or committer contains what looks like/,
    );
  }
});

test("a key in the name of a new file refuses the commits too, also if a later commit has removed the file", () => {
  const passingFiles = [{ path: "KEY.txt", bytes: 1, commit: "c0ffee" }];
  for (const [work, rules] of [
    [{ changed: [path("a/KEY.txt", { status: "added" })] }, ["secret"]],
    [{ changed: [path("KEY/a.txt", { status: "renamed" })] }, ["secret"]],
    [{ changed: [path("KEY.txt"), path("b/KEY", { status: "deleted", mode: null, bytes: null })] }, []],
    [{ changed: [path("b.txt")], passingFiles }, ["secret"]],
  ] as const) {
    const { findings } = weigh({ ...nothing, ...work, changed: [...work.changed] }, (text) => text.includes("KEY"));
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      rules,
    );
  }
});

test("what is too large to be searched whole is reported, and pushed", () => {
  const { verdict, findings } = weigh({ ...nothing, changed: [path("a.txt")], isCut: true }, () => false);
  assert.deepEqual([verdict, findings.map(({ rule, refuses }) => [rule, refuses])], ["fit", [["not_all_read", false]]]);
});

test("commit messages that would act on the host are reported with what they may do, and pushed as they are", () => {
  const acts = (text: string) => {
    const messages = [{ commit: "c0ffeec0ff33", header: "", text }];
    const { verdict, findings } = weigh({ ...nothing, changed: [path("a.txt")], messages }, () => false);
    assert.ok(verdict === "fit" && findings.every(({ refuses, path: at }) => !refuses && at === "c0ffeec0ff"), text);
    return findings.map(({ rule, detail }) => `${rule}: ${detail.replace(/^.* host /, "")}`);
  };
  const close = "message_acts: close or reopen an issue";
  for (const text of ["Closes #12", "Mend it\n\nfixes acme/app#3\n", "resolves: https://example.com/a/issues/1"]) {
    assert.deepEqual(acts(text), [close], text);
  }
  assert.deepEqual(acts("Thanks @ada"), ["message_acts: notify somebody"]);
  for (const text of ["Docs [skip ci]", "Docs\n\n\nskip-checks: true", "Docs ***NO_CI***"]) {
    assert.deepEqual(acts(text), ["message_acts: keep checks from running"], text);
  }
  assert.deepEqual(acts("fix #1, cc @acme/team [no ci]"), [
    `${close} and notify somebody and keep checks from running`,
  ]);
  const plain = ["Fix the parser", "See #12", "Mend it\n\nCo-authored-by: Ada <1+ada@users.test>", "", "修复\n"];
  for (const text of [
    ...plain,
    quietWords("closes #1 @ada [skip ci] ***NO_CI***\nskip-checks: true", { mayRefer: false, mayMention: [] }),
  ]) {
    assert.deepEqual(acts(text), [], text);
  }
});

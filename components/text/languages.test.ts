import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOfName, languageOfPath } from "./languages.ts";

test("a path tells its language by file name or ending", () => {
  const cases: [string, string | null][] = [
    ["src/a.ts", "typescript"],
    ["A.TSX", "tsx"],
    ["C:\\x\\main.PY", "python"],
    ["deploy/Dockerfile", "docker"],
    ["Dockerfile.dev", "docker"],
    ["Makefile", "make"],
    ["go.mod", null],
    [".bashrc", "bash"],
    [".ts", null],
    ["", null],
    ["a.unknown", null],
    ["dir.ts/readme", null],
    ["package.json", "json"],
    ["__proto__", null],
    ["a.constructor", null],
  ];
  for (const [path, language] of cases) assert.equal(languageOfPath(path), language, path);
});

test("fence names and their usual aliases are known", () => {
  assert.equal(languageOfName("TypeScript"), "typescript");
  assert.equal(languageOfName("c++"), "cpp");
  assert.equal(languageOfName("toString"), null);
  assert.equal(languageOfName(""), null);
});

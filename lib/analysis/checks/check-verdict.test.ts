import assert from "node:assert/strict";
import { test } from "node:test";
import { checksOf } from "./check-command.ts";
import type { SeenExit } from "./check-exit.ts";
import { SilentLines } from "./check-lines.ts";
import { verdictOf } from "./check-verdict.ts";

type Told = { code?: number; ok?: boolean };
/** Command, output, what the call shows of its exit, and the verdict with counts as passed/failed/skipped. */
type Case = [command: string, output: string, told: Told, expected: string];

const hidden: Told = {};
const cases: Case[] = [
  // node:test, tap
  ["node --test | tail -8", "ℹ tests 5\nℹ pass 5\nℹ fail 0\nℹ skipped 0", hidden, "pass 5/0/0"],
  ["node --test | tail -8", "ℹ tests 5\nℹ pass 4\nℹ fail 1\nℹ skipped 0", hidden, "fail 4/1/0"],
  ["node --test | tail -8", "# tests 5\n# pass 4\n# fail 1", hidden, "fail 4/1/-"],
  ["node --test | grep pass", "ℹ pass 4", hidden, "unknown 4/-/-"],
  ["node --test 2>&1 | tail -5", "✖ failing tests:\n\ntest at a.test.ts:1:1", hidden, "fail -/-/-"],
  ["npm test | cat", "TAP version 13\nok 1 - a\nnot ok 2 - b\n# pass 1\n# fail 1", hidden, "fail 1/1/-"],
  // jest, vitest, mocha, bun, deno, ava, playwright
  [
    "npx jest 2>&1 | tail -5",
    "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 7 passed, 10 total\nSnapshots:   0 total",
    hidden,
    "fail 7/1/2",
  ],
  [
    "npx jest | tail -5",
    "Test Suites: 3 passed, 3 total\nTests:       10 passed, 10 total\nTime: 2 s",
    hidden,
    "pass 10/-/-",
  ],
  [
    "npx jest | tail -5",
    "FAIL src/a.test.ts\n  ● Test suite failed to run\nTest Suites: 1 failed, 1 total\nTests:       0 total",
    hidden,
    "fail -/-/-",
  ],
  ["npx jest", "No tests found, exiting with code 1", { code: 1 }, "error -/-/-"],
  [
    "npx jest --coverage",
    "Tests:       10 passed, 10 total\nJest: coverage threshold for lines (80%) not met: 70%",
    { code: 1 },
    "fail 10/-/-",
  ],
  [
    "npx vitest run | tail",
    " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 5 passed | 1 skipped (7)\n   Duration  1.1s",
    hidden,
    "fail 5/1/1",
  ],
  [
    "npx vitest run | tail",
    "\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[32m2 passed\u001b[39m\u001b[22m\u001b[90m (2)\u001b[39m\n\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m5 passed\u001b[39m\u001b[22m\u001b[90m (5)\u001b[39m",
    hidden,
    "pass 5/-/-",
  ],
  ["npx mocha | tail -20", "  5 passing (20ms)\n  1 pending\n  2 failing\n\n  1) a", hidden, "fail 5/2/1"],
  ["npx mocha | tail -5", "  5 passing (20ms)", hidden, "pass 5/-/-"],
  ["npx mocha | grep passing", "  5 passing (20ms)", hidden, "unknown 5/-/-"],
  [
    "bun test | tail",
    " 1329 pass\n 0 fail\n 2901 expect() calls\nRan 1329 tests across 60 files. [1018.00ms]",
    hidden,
    "pass 1329/0/-",
  ],
  [
    "bun test | tail",
    "(fail) a > b [7.00ms]\n\n 124 pass\n 1 fail\nRan 125 tests across 3 files.",
    hidden,
    "fail 124/1/-",
  ],
  ["deno test | tail -1", "FAILED | 4 passed | 1 failed (10ms)", hidden, "fail 4/1/-"],
  ["npx ava | tail -3", "  ✔ 5 tests passed", hidden, "pass 5/-/-"],
  ["npx playwright test | tail", "  1 failed\n    [chromium] › a.spec.ts:3:1\n  5 passed (3.2s)", hidden, "fail 5/1/-"],
  // pytest, unittest, Django
  ["pytest | tail -3", "FAILED t.py::a - ValueError\n==== 2 failed, 80 passed in 0.08s ====", hidden, "fail 80/2/-"],
  ["pytest -q | tail -1", "5 passed, 1 skipped, 2 warnings in 0.12s", hidden, "pass 5/-/1"],
  ["pytest | tail -1", "=== 1 passed, 3 deselected in 0.00s ===", hidden, "pass 1/-/-"],
  ["pytest | tail -4", "E   NameError: name 'x' is not defined\n=== 1 error in 0.10s ===", hidden, "fail -/1/-"],
  [
    "pytest a",
    "E   ModuleNotFoundError: No module named 'numpy'\n!!! Interrupted: 1 error during collection !!!",
    { code: 2 },
    "error -/-/-",
  ],
  [
    "python -m pytest x.py",
    "ERROR: file or directory not found: x.py\n\n==== no tests ran in 0.00s ====",
    { code: 4 },
    "error -/-/-",
  ],
  ["python -m pytest", "/usr/bin/python: No module named pytest", { code: 1 }, "error -/-/-"],
  [
    "python3 -m pytest -k False a.py",
    "INTERNALERROR> ValueError\n=== no tests ran in 0.01s ===",
    { code: 3 },
    "error -/-/-",
  ],
  ["python -m unittest 2>&1 | tail -3", "Ran 5 tests in 0.3s\n\nFAILED (failures=1, errors=2)", hidden, "fail -/3/-"],
  ["python -m unittest 2>&1 | tail -3", "Ran 5 tests in 0.3s\n\nOK (skipped=1)", hidden, "pass -/-/1"],
  [
    "python tests/runtests.py x 2>&1 | tail -6",
    "Ran 5 tests in 0.3s\n\nOK\nDestroying test database for alias 'default'...",
    hidden,
    "pass -/-/-",
  ],
  ["python tests/runtests.py x", "Destroying test database...", { code: 0 }, "pass -/-/-"],
  // go
  ["go test ./... | tail -2", "ok  \ta/b\t0.2s\nok  \ta/c\t(cached)", hidden, "pass -/-/-"],
  ["go test ./... | tail -20", "ok  \ta/b\t0.2s\n--- FAIL: TestA (0.0s)\nFAIL\ta/c\t0.4s\nFAIL", hidden, "fail -/-/-"],
  ["go test ./... | tail -1", "FAIL", hidden, "fail -/-/-"],
  ["go test ./... | head -1", "ok  \ta/b\t0.2s", hidden, "unknown -/-/-"],
  ["go test ./... | grep ok", "ok  \ta/b\t0.2s", hidden, "unknown -/-/-"],
  ["go test -v ./a | grep -A 5 FAIL:", "--- FAIL: TestA (0.02s)\n=== RUN   TestB", hidden, "fail -/-/-"],
  ["go test ./a", "a_test.go:3:6: undefined: errors\nFAIL\ta [build failed]\nFAIL", { code: 1 }, "fail -/-/-"],
  ["go test ./a", "FAIL\ta [setup failed]\n# a\nopen /x: operation not permitted\nFAIL", { code: 1 }, "error -/-/-"],
  [
    "go test ./a",
    'compile: version "go1.24" does not match go tool version "go1.26"\nFAIL\ta [build failed]\nFAIL',
    { code: 1 },
    "error -/-/-",
  ],
  [
    "go build ./... 2>&1 | tail -50",
    "pattern ./...: directory prefix . does not contain main module or its selected dependencies",
    hidden,
    "error -/-/-",
  ],
  ["go build ./... 2>&1 | tail", "", hidden, "unknown -/-/-"],
  ["go build ./...", "", { code: 0 }, "pass -/-/-"],
  ["go build ./... 2>&1 | head", "./a.go:3:4: undefined: x", hidden, "fail -/-/-"],
  ["go vet ./... 2>&1 | tail", "cache/a.go:198:13: possible misuse of unsafe.Pointer", hidden, "fail -/-/-"],
  ["mise run vet", "[vet] $ go vet ./...\nparser.c:254:18: warning: null character", { code: 0 }, "pass -/-/-"],
  ["golangci-lint run | tail", "0 issues.", hidden, "pass -/0/-"],
  ["golangci-lint run | tail", "a.go:3:4: x is unused (unused)\n1 issues:\n* unused: 1", hidden, "fail -/1/-"],
  ["mise run lint 2>&1 | head -100", "[lint] $ golangci-lint run ./...\n0 issues.", hidden, "pass -/0/-"],
  ["mise run test 2>&1 | tail -3", "ok  \ta\t1.2s\nFAIL\n[test] ERROR task failed", hidden, "fail -/-/-"],
  // rust, c
  ["cargo test | tail -3", "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured", hidden, "pass 5/0/1"],
  ["cargo test 2>&1 | grep 'test result'", "test result: FAILED. 4 passed; 1 failed; 0 ignored", hidden, "fail 4/1/0"],
  [
    "cargo build 2>&1 | tail",
    "error[E0425]: cannot find value `x`\nerror: could not compile `a`",
    hidden,
    "fail -/-/-",
  ],
  ["cargo test", "error: could not find `Cargo.toml` in `/a` or any parent directory", { code: 101 }, "error -/-/-"],
  ["ctest | tail -3", "80% tests passed, 1 tests failed out of 5", hidden, "fail 4/1/-"],
  ["ctest | tail -3", "100% tests passed, 0 tests failed out of 5", hidden, "pass 5/0/-"],
  ["make 2>&1 | tail", "a.c:3:4: error: expected ';'\nmake: *** [a.o] Error 1", hidden, "fail -/-/-"],
  ["make", "/bin/sh: 1: cd: can't cd to /w/build\nmake: *** [Makefile:192: build] Error 2", { code: 2 }, "error -/-/-"],
  ["make foo-test", "make: *** No rule to make target 'foo-test'.  Stop.", { code: 2 }, "error -/-/-"],
  // jvm, .net, ruby, php, elixir
  ["./gradlew test | tail", "5 tests completed, 1 failed\nBUILD FAILED in 2s", hidden, "fail 4/1/-"],
  ["./gradlew test -q | tail", "BUILD SUCCESSFUL in 2s", hidden, "pass -/-/-"],
  [
    "mvn test | tail -20",
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1\n[INFO] BUILD FAILURE",
    hidden,
    "fail 3/1/1",
  ],
  [
    "mvn test | tail",
    "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
    hidden,
    "pass 5/0/0",
  ],
  ["mvn compile | tail", "[ERROR] COMPILATION ERROR :\n[INFO] BUILD FAILURE", hidden, "fail -/-/-"],
  ["dotnet test | tail", "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5", hidden, "fail 4/1/0"],
  ["dotnet build | tail", "a.cs(1,2): error CS0103: The name 'x' does not exist\nBuild FAILED.", hidden, "fail -/-/-"],
  ["bundle exec rspec | tail", "10 examples, 2 failures, 1 pending", hidden, "fail 7/2/1"],
  ["rails test | tail", "5 runs, 9 assertions, 0 failures, 0 errors, 0 skips", hidden, "pass 5/0/0"],
  ["vendor/bin/phpunit | tail", "OK (5 tests, 10 assertions)", hidden, "pass 5/-/-"],
  ["vendor/bin/phpunit | tail", "FAILURES!\nTests: 5, Assertions: 10, Failures: 1.", hidden, "fail 4/1/-"],
  ["mix test | tail", "5 doctests, 10 tests, 1 failure", hidden, "fail 9/1/-"],
  // types, linters, builds
  [
    "npx tsc --noEmit | grep -v tui",
    "src/a.ts(104,35): error TS1343: The 'import.meta' is only allowed",
    hidden,
    "fail -/-/-",
  ],
  ["npx tsc --noEmit | grep 'error TS'", "", hidden, "unknown -/-/-"],
  ["npx tsc --noEmit", "", { code: 0 }, "pass -/-/-"],
  ["npx tsc --noEmit 2>&1 | tail -1", "Found 3 errors in 2 files.", hidden, "fail -/3/-"],
  [
    "npm run check 2>&1 | tail -3",
    "Debugger attached.\nWaiting for the debugger to disconnect...",
    hidden,
    "unknown -/-/-",
  ],
  [
    "npm run check 2>&1 | tail -5",
    "npm error command failed\nnpm error command sh -c tsgo --noEmit",
    hidden,
    "fail -/-/-",
  ],
  ["npm run check 2>&1 | grep -E '(error|success)' | head -5", "(no output)", hidden, "unknown -/-/-"],
  ["npx eslint . | tail", "✖ 5 problems (3 errors, 2 warnings)", hidden, "fail -/3/-"],
  ["npx eslint . | tail", "✖ 2 problems (0 errors, 2 warnings)", hidden, "pass -/0/-"],
  ["bun run lint | tail", "Checked 290 files in 148ms. No fixes applied.", hidden, "pass -/-/-"],
  [
    "bun run lint | tail",
    "Checked 290 files in 135ms. No fixes applied.\nFound 1 error.\n  × Some errors were emitted while running checks.",
    hidden,
    "fail -/1/-",
  ],
  [
    "npx prettier --check . | tail -1",
    "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.",
    hidden,
    "fail -/-/-",
  ],
  ["npm run build 2>&1 | tail -3", "npm error command failed\nnpm error command sh -c tsgo -p x", hidden, "fail -/-/-"],
  ["npx vite build | tail", "✓ built in 1.2s", hidden, "pass -/-/-"],
  ["bun run css:build", "Rebuilding...\nDone in 402ms.", { ok: true }, "pass -/-/-"],
  // wrappers
  ["pnpm --filter a test", "PASS a\nPASS b\nAll tests passed (28)", hidden, "pass 28/-/-"],
  ["bun run test 2>&1 | tail -3", "✨ All tests passed! Frontend is ready to use.", hidden, "pass -/-/-"],
  [
    "pnpm -r test | tail",
    "packages/a test:  5 passing (1ms)\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  a@1 test: `x`\nExit status 2",
    hidden,
    "fail 5/-/-",
  ],
  [
    "pnpm --filter a test",
    "src/i.ts(3,4): error TS2741: Property\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL a test: `tsc`\nExit status 2",
    hidden,
    "fail -/-/-",
  ],
  ["bun run lint", 'error: Script not found "lint"', { code: 1 }, "error -/-/-"],
  ["npm run lnt-test", 'npm error Missing script: "lnt-test"', { code: 1 }, "error -/-/-"],
  ["rtk bun run test", "error: unrecognized subcommand 'bun'", { code: 2 }, "error -/-/-"],
  ["npm test", "sh: 1: vitest: not found", { code: 127 }, "error -/-/-"],
  ["pytest", "bash: pytest: command not found", hidden, "error -/-/-"],
  // exit codes
  ["npm test", "", { code: 1 }, "fail -/-/-"],
  ["npm test", "", { ok: true }, "pass -/-/-"],
  ["npm test", "", hidden, "unknown -/-/-"],
  ["timeout 60 npm test", "", { code: 124 }, "unknown -/-/-"],
  ["npm test; echo EXIT=$?", "EXIT=1", { code: 0 }, "fail -/-/-"],
  ["npm test; echo EXIT=$?", "EXIT=0", { code: 0 }, "pass -/-/-"],
  ["npm test 2>&1 | tail -1; echo BUILD_EXIT=$?", "BUILD_EXIT=0", { code: 0 }, "unknown -/-/-"],
  ["npm test || echo OK", "1 failing\nOK", { code: 0 }, "fail -/1/-"],
  ["npm test | tail -2; echo OK", "OK", { code: 0 }, "unknown -/-/-"],
  ["npm test && git push", "", { code: 1 }, "unknown -/-/-"],
  ["npm test && git push", "", { code: 0 }, "pass -/-/-"],
  ["node --test", "1 failing\nℹ pass 5\nℹ fail 0", { code: 0 }, "pass 5/0/-"],
  ["npm run check 2>&1 | grep 'error TS' | wc -l", "      11", hidden, "fail -/-/-"],
  ["npm run check 2>&1 | grep 'error TS' | wc -l", "       0", hidden, "unknown -/-/-"],
  ["npm run check 2>&1 | tail -20", "Checked 22 files in 17ms. No fixes applied.", hidden, "unknown -/-/-"],
  ["python reproduce.py | tail", "Traceback (most recent call last):\nValueError: x", hidden, "fail -/-/-"],
  [
    "python reproduce.py | tail",
    "Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'",
    hidden,
    "error -/-/-",
  ],
  ["python reproduce.py", "Caught ValueError: the bug is there", { code: 0 }, "unknown -/-/-"],
  ["python reproduce.py", "8.2", { code: 0 }, "pass -/-/-"],
  ["python test_edge.py | cat", "✓ PASS\n✗ FAIL", hidden, "fail -/-/-"],
  ["node test/a.test.js | tail -3", "Error: boom\n\nNode.js v24.1.0", hidden, "fail -/-/-"],
  ["python reproduce.py | cat", "Script completed successfully, no errors. Result: True", hidden, "pass -/-/-"],
  ["bash -n a.sh", "", { code: 0 }, "pass -/-/-"],
  ["python reproduce.py", "Traceback (most recent call last):", { code: 1 }, "fail -/-/-"],
];

for (const [command, output, told, expected] of cases) {
  test(`verdict of ${command}: ${JSON.stringify(output.slice(-60))} ${JSON.stringify(told)} is ${expected}`, () => {
    const checks = checksOf(command);
    const [check] = checks;
    assert.ok(check !== undefined, "is a check");
    const exit: SeenExit = {
      code: told.code ?? null,
      isOk: told.ok ?? (told.code === undefined ? null : told.code === 0),
    };
    const said = verdictOf(
      check,
      [{ seq: 1, output, isEscaped: false }],
      exit,
      checks.length === 1 ? "none" : "line",
      new SilentLines(),
    );
    const figure = (count: number | null) => count ?? "-";
    assert.equal(`${said.verdict} ${figure(said.passed)}/${figure(said.failed)}/${figure(said.skipped)}`, expected);
    if (said.quote !== null) assert.ok(output.includes(said.quote.raw));
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { analysed, falseQuotes } from "#lib/analysis/analysed.fixture.ts";

const outputs: [name: string, command: string, output: string, quote: string][] = [
  ["node:test", "npm test", "✖ greets (1.2ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:", "✖ greets (1.2ms)"],
  [
    "pytest",
    "pytest",
    "FAILED tests/a.py::test_b - assert 1 == 2\n1 failed, 2 passed in 0.1s",
    "FAILED tests/a.py::test_b - assert 1 == 2",
  ],
  [
    "go",
    "go test ./...",
    "--- FAIL: TestSum (0.00s)\nFAIL\nFAIL\texample/sum\t0.1s\nFAIL",
    "--- FAIL: TestSum (0.00s)",
  ],
  ["a name alone is not told", "npm test", "ℹ tests 2\nℹ pass 1\nℹ fail 1", "ℹ fail 1"],
];

for (const [name, command, output, quote] of outputs) {
  test(`evidence of failed tests quotes the name of one: ${name}`, () => {
    const entries = [
      {
        message_type: "ACTION",
        tool_name: "shell",
        tool_input: { command },
        tool_output: { status: "failed", exit_code: 1, output },
      },
      { message_type: "FINAL_ANSWER", observation: "Done." },
    ];
    const analysis = analysed(entries);
    assert.equal(analysis.causes[0]?.evidence[0]?.quote, quote);
    assert.equal(analysis.errors[0]?.sample, quote);
    assert.deepEqual(falseQuotes(entries, analysis), []);
  });
}

// One table with a row for each planted fault: the analysis is checked against all of it.
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import type { StoredEntry } from "./step.ts";

/** A fault planted in a trace, with what must be found and what must not. */
export type Planted = {
  fault: string;
  entries: StoredEntry[];
  status: "completed" | "failed";
  /** True if the analysis has found it. */
  isFound(analysis: Analysis): boolean;
  /** The kinds of findings that it may cause, as {@link findingsOf} names them. */
  brings: readonly string[];
};

type Random = () => number;

/** Findings of the kinds for which faults are planted, each with its place, for comparing two analyses. */
export function findingsOf({ causes, repeats, tests, waste }: Analysis): { kind: string; seqs: readonly number[] }[] {
  return [
    ...causes
      .filter(({ rule }) => rule !== "not_verified")
      .map(({ rule, evidence }) => ({ kind: rule, seqs: evidence.map(({ seq }) => seq) })),
    ...repeats.filter(({ kind }) => kind !== "rerun_after_edit").map(({ kind, seqs }) => ({ kind, seqs })),
    ...tests.runs.filter(({ verdict }) => verdict === "fail").map(({ seq }) => ({ kind: "red", seqs: [seq] })),
    ...tests.regressed.map(({ red_seq }) => ({ kind: "regression", seqs: [red_seq] })),
    ...waste.items.filter(({ rule }) => rule === "oversized_output").map(({ seqs }) => ({ kind: "oversized", seqs })),
  ];
}

const red = [
  ["npx vitest run 2>&1 | tail -5", " Test Files  1 failed | 4 passed (5)\n      Tests  1 failed | 31 passed (32)"],
  ["npx jest 2>&1 | tail -4", "Tests:       2 failed, 11 passed, 13 total\nSnapshots:   0 total"],
  [
    "python -m pytest -q 2>&1 | tail -2",
    "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 12 passed in 0.31s",
  ],
  ["go test ./... 2>&1 | tail -3", "--- FAIL: TestPlanted (0.00s)\nFAIL\texample.com/planted\t0.01s\nFAIL"],
  ["cargo test 2>&1 | tail -2", "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"],
  ["npm test 2>&1 | tail -3", "# pass 7\n# fail 1\n# skipped 0"],
  ["bundle exec rspec | tail -1", "12 examples, 1 failure"],
  [
    "npx tsc --noEmit | head -3",
    "src/planted.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  ["mvn -q test | tail -3", "[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE"],
  ["npm run build 2>&1 | tail -2", "npm error Lifecycle script `build` failed with error:\nnpm error code 1"],
] as const;
const green = [
  ["npx vitest run 2>&1 | tail -5", " Test Files  5 passed (5)\n      Tests  32 passed (32)"],
  ["npx jest 2>&1 | tail -4", "Tests:       13 passed, 13 total\nSnapshots:   0 total"],
  ["python -m pytest -q 2>&1 | tail -2", "13 passed, 1 warning in 0.29s"],
  ["go test ./... 2>&1 | tail -3", "ok  \texample.com/planted\t0.01s"],
  ["cargo test 2>&1 | tail -2", "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"],
  ["npm test 2>&1 | tail -3", "# pass 8\n# fail 0\n# skipped 0"],
] as const;

/** Plants one fault of each kind in turn in a trace; the same arguments give the same faults. */
export function plant(base: readonly StoredEntry[], number: number, random: Random): Planted {
  const kinds = Object.values(faults);
  const make = kinds[number % kinds.length];
  if (make === undefined) throw new RangeError("There is no fault of this number");
  return make(new Trace(base, random), `p${number}`);
}

/** A copy of a trace into which faults are planted. */
class Trace {
  readonly base: readonly StoredEntry[];
  readonly random: Random;

  constructor(base: readonly StoredEntry[], random: Random) {
    this.base = base;
    this.random = random;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.random() * items.length)];
    if (item === undefined) throw new RangeError("Nothing to choose from");
    return item;
  }

  /** The trace with entries inserted at a place, and their seqs there. */
  with(more: readonly StoredEntry[], place: number): { entries: StoredEntry[]; seqs: number[] } {
    const at = this.base[Math.max(0, place - 1)]?.created_at ?? "2026-01-01T00:00:00.000Z";
    const own = more.map((entry) => ({ created_at: at, ...entry }));
    return {
      entries: [...this.base.slice(0, place), ...own, ...this.base.slice(place)],
      seqs: own.map((_, index) => place + index + 1),
    };
  }

  get anywhere(): number {
    return 1 + Math.floor(this.random() * Math.max(1, this.base.length - 1));
  }

  /** After the last call, before the final answer. */
  get lateIn(): number {
    return this.base.findLastIndex(({ message_type }) => message_type === "ACTION") + 1;
  }
}

const call = (tool_name: string, tool_input: object, text: string, is_error = false): StoredEntry => ({
  message_type: "ACTION",
  tool_name,
  tool_input,
  tool_output: { text, is_error },
});
const shell = (command: string, text: string, isError = false) => call("Bash", { command }, text, isError);
const edit = (path: string, word: string) =>
  call("Edit", { file_path: path, old_string: word, new_string: `${word}2` }, `The file ${path} has been updated.`);
const read = (path: string) => call("Read", { file_path: path }, `1\tcontents of ${path}`);

const cites = (seqs: readonly number[], found: readonly number[]) => seqs.some((seq) => found.includes(seq));
const hasCause = (rule: string, seqs: readonly number[]) => (analysis: Analysis) =>
  analysis.causes.some(
    (cause) =>
      cause.rule === rule &&
      cites(
        seqs,
        cause.evidence.map(({ seq }) => seq),
      ),
  );
const hasRepeat = (kind: string, seqs: readonly number[]) => (analysis: Analysis) =>
  analysis.repeats.some((repeat) => repeat.kind === kind && cites(seqs, repeat.seqs));

type Fault = (trace: Trace, id: string) => Planted;
const completed = { status: "completed" } as const;

const faults: Record<string, Fault> = {
  loop(trace, id) {
    const command = `node scripts/${id}.mjs --status`;
    const same = () => shell(command, `state of ${id}: not ready`);
    const between = trace.pick([
      [],
      [read(`/elsewhere/${id}.ts`)],
      [
        call(
          "Edit",
          { file_path: `/w/${id}.ts`, old_string: "a", new_string: "b" },
          "String to replace not found in file.",
          true,
        ),
      ],
      [edit(`/w/notes-${id}.md`, "note")],
    ]);
    const steps = [1, 2, 3, 4].flatMap(() => [same(), ...between]);
    const { entries, seqs } = trace.with(steps, trace.anywhere);
    return {
      fault: "loop",
      entries,
      ...completed,
      isFound: hasRepeat("loop", seqs),
      brings: ["loop", "edits_not_applied"],
    };
  },
  loopWithEdits(trace, id) {
    const steps = [1, 2, 3, 4].flatMap((count) => [
      shell(`npm run check-${id}`, "still wrong"),
      edit(`/w/src/${id}.ts`, `word${count}`),
    ]);
    const { entries, seqs } = trace.with(steps, trace.anywhere);
    const isFound = (analysis: Analysis) => !hasRepeat("loop", seqs)(analysis);
    return { fault: "loop with edits", entries, ...completed, isFound, brings: [] };
  },
  redBehindPipe(trace) {
    const [command, text] = trace.pick(red);
    const { entries, seqs } = trace.with([shell(command, text)], trace.lateIn);
    const isFound = (analysis: Analysis) =>
      analysis.tests.runs.some(({ seq, verdict, flagged }) => seqs.includes(seq) && verdict === "fail" && !flagged) &&
      hasCause("tests_red_at_end", seqs)(analysis);
    return {
      fault: "red behind a pipe",
      entries,
      ...completed,
      isFound,
      brings: ["red", "tests_red_at_end", "regression", "flaky"],
    };
  },
  greenBehindPipe(trace, id) {
    const [command, text] = trace.pick(green);
    const { entries, seqs } = trace.with([shell(`cd /w/${id} && ${command}`, text)], trace.anywhere);
    const isFound = (analysis: Analysis) =>
      analysis.tests.runs.some(({ seq, verdict }) => seqs.includes(seq) && verdict === "pass");
    return { fault: "green behind a pipe", entries, ...completed, isFound, brings: [] };
  },
  missingTool(trace, id) {
    const said = trace.pick([
      `bash: ${id}tool: command not found`,
      `/bin/sh: 1: ${id}tool: not found`,
      `zsh: command not found: ${id}tool`,
    ]);
    const { entries, seqs } = trace.with([shell(`${id}tool --all src`, said, trace.random() < 0.5)], trace.anywhere);
    return {
      fault: "missing tool",
      entries,
      ...completed,
      isFound: hasCause("missing_tool", seqs),
      brings: ["missing_tool"],
    };
  },
  tooManyRequests(trace) {
    const message = trace.pick([
      "API Error: 429 Too Many Requests",
      "rate_limit_error: please slow down",
      "Overloaded (529)",
    ]);
    const { entries, seqs } = trace.with([{ message_type: "ERROR", observation: { message } }], trace.base.length);
    return {
      fault: "429",
      entries,
      status: "failed",
      isFound: hasCause("provider_error", seqs),
      brings: ["provider_error"],
    };
  },
  hugeOutput(trace, id) {
    const text = `${id} `.repeat(Math.ceil((5 * 1024 * 1024) / (id.length + 1)));
    const { entries, seqs } = trace.with([shell(`cat /w/${id}.log`, text)], trace.anywhere);
    const isFound = ({ waste }: Analysis) =>
      waste.items.some(({ rule, seqs: found }) => rule === "oversized_output" && cites(seqs, found));
    return { fault: "5 MB output", entries, ...completed, isFound, brings: ["oversized"] };
  },
  regression(trace, id) {
    const command = `cd /w/${id} && npx jest 2>&1 | tail -3`;
    const steps = [
      shell(command, "Tests:       13 passed, 13 total"),
      edit(`/w/${id}/src/a.ts`, "word"),
      shell(command, "Tests:       1 failed, 12 passed, 13 total"),
    ];
    const { entries, seqs } = trace.with(steps, trace.lateIn);
    const isFound = ({ tests }: Analysis) =>
      tests.regressed.some(
        ({ green_seq, red_seq, edits }) => green_seq === seqs[0] && red_seq === seqs[2] && edits.includes(seqs[1] ?? 0),
      );
    return { fault: "regression", entries, ...completed, isFound, brings: ["red", "tests_red_at_end", "regression"] };
  },
  polling(trace, id) {
    const wait = () => call("BashOutput", { bash_id: id }, "<status>running</status>");
    const { entries, seqs } = trace.with([wait(), wait(), wait(), wait()], trace.anywhere);
    const isFound = (analysis: Analysis) => hasRepeat("polling", seqs)(analysis) && !hasRepeat("loop", seqs)(analysis);
    return { fault: "polling", entries, ...completed, isFound, brings: ["polling"] };
  },
  failedEdits(trace, id) {
    const path = `/w/src/${id}.ts`;
    const miss = (word: string) =>
      call(
        "Edit",
        { file_path: path, old_string: word, new_string: "b" },
        trace.pick([
          "String to replace not found in file.",
          "No replacement was performed, old_str did not appear verbatim",
        ]),
        trace.random() < 0.5,
      );
    const { entries, seqs } = trace.with([miss("one"), read(path), miss("two"), miss("three")], trace.anywhere);
    return {
      fault: "failed edits",
      entries,
      ...completed,
      isFound: hasCause("edits_not_applied", seqs),
      brings: ["edits_not_applied"],
    };
  },
  refused(trace, id) {
    const step = call(
      "Bash",
      { command: `${id}-deploy now` },
      "The user doesn't want to proceed with this tool use. The tool use was rejected.",
      true,
    );
    const { entries, seqs } = trace.with([step], trace.anywhere);
    return {
      fault: "refused",
      entries,
      ...completed,
      isFound: hasCause("permission_refused", seqs),
      brings: ["permission_refused"],
    };
  },
  blocked(trace, id) {
    const step = shell(
      `curl -sS https://${id}.example.com/x`,
      `curl: (6) Could not resolve host: ${id}.example.com`,
      true,
    );
    const { entries, seqs } = trace.with([step], trace.anywhere);
    return {
      fault: "network",
      entries,
      ...completed,
      isFound: hasCause("network_blocked", seqs),
      brings: ["network_blocked"],
    };
  },
  install(trace, id) {
    const step = shell(
      `composer require ${id}/${id}`,
      "Could not find a version of package that matches your minimum-stability",
      true,
    );
    const { entries, seqs } = trace.with([step], trace.lateIn);
    return {
      fault: "install",
      entries,
      ...completed,
      isFound: hasCause("dependency_install_failed", seqs),
      brings: ["dependency_install_failed"],
    };
  },
  compaction(trace) {
    const compacted = { message_type: "PLAN_EVALUATION", thought: "The context was compacted." };
    const end = { message_type: "ERROR", observation: { message: "The agent ended without an answer." } };
    const { entries, seqs } = trace.with([compacted, read("/w/a.ts"), end], trace.base.length);
    return {
      fault: "compaction",
      entries,
      status: "failed",
      isFound: hasCause("context_compacted", seqs),
      brings: ["context_compacted"],
    };
  },
};

/** A run like an agent's, for machines without recorded ones: reads, edits, green tests, an answer. */
export function plainTrace(number: number): StoredEntry[] {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 9, 0, second)).toISOString();
  const path = `/w/plain-${number}/src/a.ts`;
  const steps: StoredEntry[] = [
    { message_type: "USER_MESSAGE", observation: `Mend number ${number}` },
    { message_type: "PLAN_EVALUATION", thought: "I look around first." },
    shell("ls -la", "total 8\na.ts b.ts"),
    read(path),
    shell(`grep -rn plain-${number} src`, `src/a.ts:${number + 1}: plain-${number}`),
    shell(`cd /w/plain-${number} && npm run typecheck`, ""),
    edit(path, "first"),
    shell(`cd /w/plain-${number} && node --test 2>&1 | tail -3`, `# pass ${number + 3}\n# fail 0`),
    edit(path, "second"),
    shell(`cd /w/plain-${number} && node --test 2>&1 | tail -3`, `# pass ${number + 4}\n# fail 0`),
    shell("git status --short", " M src/a.ts"),
    { message_type: "FINAL_ANSWER", observation: "It is mended." },
  ];
  return steps.map((step, second) => ({ created_at: at(second * 3), ...step }));
}

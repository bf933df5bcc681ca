import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { TestDetection } from "./detect-tests.ts";
import { type GitPlace, listFiles, readHistoryState } from "./git-facts.ts";
import { inlineCode, type PlannedStep } from "./planned-step.ts";
import { planShellStep } from "./shell-step.ts";

/**
 * The steps for a prompt without any. `tests` is the step among `steps` that runs the tests, or null with `testsNote` as the
 * sentence that says why there is none.
 */
export type Survey = { steps: PlannedStep[]; tests: PlannedStep | null; testsNote: string | null };

const countByType =
  `awk -F/ '{ name = $NF; if (match(name, /.\\.[^.]+$/)) type = substr(name, RSTART + 1); else type = "(no extension)"; ` +
  `count[type]++ } END { for (type in count) printf "%7d %s\\n", count[type], type }' | sort -rn | head -n 15`;

/** Plans a survey of a folder: its history, files by type, size, README, and its tests unless `readOnly`. */
export async function planSurvey(place: GitPlace, readOnly: boolean): Promise<Survey> {
  const history = await readHistoryState(place);
  const files = await listFiles(place);
  const steps: PlannedStep[] = [];
  if (history === "none") {
    const list = "find . -name node_modules -prune -o -type f -not -path '*/.*' -print";
    steps.push(
      planShellStep(
        `${list} | ${countByType}`,
        "Count files by type",
        "The folder is not a git repository: its files show what it is.",
      ),
    );
  } else {
    const log = history === "commits" ? "git log --oneline -n 10 && " : 'echo "There are no commits yet." && ';
    const why =
      history === "commits"
        ? "Every survey starts with the history of the repository."
        : "The repository has no commits yet.";
    steps.push(planShellStep(`${log}git status --short`, "Recent history", why));
    const list = "git ls-files --cached --others --exclude-standard";
    steps.push(
      planShellStep(`${list} | ${countByType}`, "Count files by type", "File types show which toolchains apply."),
    );
  }
  if (history === "commits") {
    const sum = `awk '{ files++; bytes += $4 } END { printf "%d files, %d bytes\\n", files, bytes }'`;
    steps.push(
      planShellStep(
        `git ls-tree -r -l HEAD | ${sum}`,
        "Size of the last commit",
        "The size tells how much there is to read.",
      ),
    );
  }
  const readme = await findReadme(place.cwd, files);
  if (readme !== null) {
    steps.push(planShellStep(`head -n 20 ${readme}`, `First lines of ${readme}`, "A README says what the project is."));
  }
  // Loaded only here: its parsers would slow down every start of the agent, and few turns survey.
  const { detectTests } = await import("./detect-tests.ts");
  const detection = await detectTests(place, files);
  const testsNote = noteOf(detection, readOnly);
  if (detection.kind !== "found" || testsNote !== null) return { steps, tests: null, testsNote };
  const { command, reason } = detection;
  const tests = planShellStep(command, `Run the tests: ${command}`, reason);
  steps.push(tests);
  return { steps, tests, testsNote };
}

function noteOf(detection: TestDetection, readOnly: boolean): string | null {
  switch (detection.kind) {
    case "none":
      return "I found no tests that I know how to run.";
    case "too slow":
      return `Reading the files that tell how the tests are run took longer than ${detection.seconds} s, so I ran none.`;
    case "not installed":
      return `${detection.reason} The tests would run with ${inlineCode(detection.command)}, but ${inlineCode(detection.tool)} is not installed here, so I ran none.`;
    case "found":
      if (!readOnly) return null;
      return `The tests would run with ${inlineCode(detection.command)}; tests can write files, so I did not run them in the read-only mode.`;
  }
}

async function findReadme(cwd: string, files: string[]): Promise<string | null> {
  const name = files.find((file) => /^readme(\.(md|markdown|txt|rst|adoc))?$/i.test(file));
  if (name === undefined) return null;
  const there = await lstat(join(cwd, name)).catch(() => null);
  return there?.isFile() ? name : null;
}

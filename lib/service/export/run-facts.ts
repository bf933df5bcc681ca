import type { Run } from "#lib/contract/runs/run.ts";
import { runTitle as titleOf } from "#lib/entry/run-title.ts";
import { visibleLine } from "./visible-text.ts";

/** Facts about a run besides its steps, as names and one-line values; unknown ones are left out. */
export function runFacts(run: Run): { name: string; value: string }[] {
  const facts: [string, string | number | null][] = [
    ["Status", run.status],
    ["Agent", run.agent],
    ["Model", run.model],
    ["Repository", run.repo_full_name],
    ["Base branch", run.base_branch],
    ["Branch", run.branch],
    ["Started by", run.user_name],
    ["Source", run.source_type],
    ["Created", run.created_at],
    ["Started", run.started_at],
    ["Finished", run.finished_at],
    ["Turns", run.turns - run.queued_turns],
    ["Failed turns", run.failed_turns === 0 ? null : run.failed_turns],
    ["Entries", run.total_logs],
    ["Tokens", run.tokens && `${run.tokens.total} (${run.tokens.input} in, ${run.tokens.output} out)`],
    ["Cost", run.cost_usd === null ? null : `$${run.cost_usd}`],
    [
      "Changes",
      run.changes &&
        `${run.changes.files} ${run.changes.files === 1 ? "file" : "files"}, +${run.changes.insertions} -${run.changes.deletions}`,
    ],
    ["Metadata", Object.keys(run.metadata).length === 0 ? null : JSON.stringify(run.metadata)],
  ];
  return facts.flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: visibleLine(String(value), factCharactersMax) }],
  );
}

const factCharactersMax = 70_000;

/** Title of a run, as its page shows it, on one visible line. */
export function runTitle(run: Run): string {
  return visibleLine(titleOf(run.prompt));
}

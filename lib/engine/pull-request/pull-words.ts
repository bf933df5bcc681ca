import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import type { RunRow } from "#lib/store/store.ts";

const titleMax = 250;
const bodyMax = 60_000;

/** Title of a run's pull request: its summary, or else its prompt's first line. */
export function titleOf(run: Pick<RunRow, "summary" | "prompt">): string {
  const words = run.summary?.trim() || (run.prompt.trim().split("\n", 1)[0] ?? "");
  const plain = withoutDirectionMarks(words)
    .replace(/^#+\s*/, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (plain === "") return "Changes by an agent";
  return plain.length <= titleMax ? plain : `${plain.slice(0, titleMax - 1).toWellFormed()}…`;
}

/** Text of a pull request: what somebody wrote for it, the run's answer, what was checked, and where it comes from. */
export function bodyOf(
  run: Pick<RunRow, "id" | "prompt" | "result" | "agent">,
  facts: {
    body: string | null;
    requestedBy: string | null;
    runUrl: string;
    isOwnAccount: boolean;
    checked: string | null;
  },
  mask: (text: string) => string,
): string {
  const answer = run.result?.trim() ?? "";
  const parts = [
    ...(facts.body === null || facts.body.trim() === "" ? [] : [facts.body.trim()]),
    ...(answer === "" ? [] : [answer]),
    `<details><summary>What was asked for</summary>\n\n${quoted(run.prompt.trim())}\n\n</details>`,
    ...(facts.isOwnAccount
      ? [
          "This was opened with a person's own token. That person cannot approve it, because code hosts do not let people approve their own pull requests.",
        ]
      : []),
  ];
  const checked = facts.checked === null ? "" : `\n\n${mask(facts.checked)}`;
  const end = [
    `[Run ${run.id}](${facts.runUrl}), agent ${run.agent}`,
    ...(facts.requestedBy === null ? [] : [`Requested by: ${facts.requestedBy}`]),
  ].join("\n");
  const text = mask(withoutDirectionMarks(parts.join("\n\n")));
  const room = bodyMax - checked.length - end.length - 20;
  return `${text.length <= room ? text : `${text.slice(0, room).toWellFormed()}…`}${checked}\n\n---\n${end}`;
}

/** A quotation mentions nobody and closes nothing: `@name` and `#1` become code. */
function quoted(text: string): string {
  const shown = text.slice(0, 20_000).toWellFormed();
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

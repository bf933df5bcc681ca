import { cutText } from "#lib/cut-text.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { fenced } from "#lib/fenced.ts";
import { type Part, type Title, titleFor } from "#lib/host/outgoing.ts";
import type { RunRow } from "#lib/store/store.ts";

const titleMax = 250;
const quotedMax = 20_000;

/** Title of a run's pull request: its summary, or else that of the run. */
export function titleOf(run: Pick<RunRow, "summary" | "prompt">, mask: (text: string) => string): Title & object {
  const summary = run.summary === null ? "" : lineOf(mask(run.summary));
  if (summary !== "") return { by: "agent", text: summary };
  const isEmpty = lineOf(run.prompt) === "";
  return { by: "person", text: isEmpty ? "Changes by an agent" : lineOf(runTitle(mask(run.prompt), titleMax)) };
}

function lineOf(text: string): string {
  const words = withoutDirectionMarks(text).replace(/^#+\s*/, "");
  return cutText(words.replace(/[\s\p{Cc}]+/gu, " ").trim(), titleMax, "…");
}

/** Text of a pull request: what somebody wrote for it, the run's answer, what was checked, and where it comes from. */
export function bodyOf(
  run: Pick<RunRow, "id" | "prompt" | "result" | "agent">,
  facts: {
    body: string | null;
    requestedBy: string | null;
    /** Their login on the host. */
    asker: string | null;
    runUrl: string;
    isOwnAccount: boolean;
    checked: string | null;
  },
  mask: (text: string) => string,
): Part[] {
  const { asker } = facts;
  const answer = run.result?.trim() ?? "";
  const end = [
    `[Run ${run.id}](${facts.runUrl}), agent ${run.agent}`,
    ...(facts.requestedBy === null ? [] : [`Requested by: ${nameOf(facts.requestedBy)}`]),
  ].join("\n");
  return [
    ...(facts.body === null ? [] : [{ by: "person" as const, text: mask(facts.body), asker }]),
    { by: "agent", text: mask(answer), asker },
    {
      own: `<details><summary>What was asked for</summary>\n\n${fenced(cutText(mask(withoutDirectionMarks(run.prompt.trim())), quotedMax), "text")}\n\n</details>`,
    },
    ...(facts.isOwnAccount
      ? [
          {
            own: "This was opened with a person's own token. That person cannot approve it, because code hosts do not let people approve their own pull requests.",
          },
        ]
      : []),
    ...(facts.checked === null ? [] : [{ own: mask(facts.checked) }]),
    { own: `---\n${end}` },
  ];
}

/** A name that is neither Markdown nor a mention. */
function nameOf(name: string): string {
  return titleFor(name).replace(/[<>[\]\\`*_~|]/g, "\\$&");
}

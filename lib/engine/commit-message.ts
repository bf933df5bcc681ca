import { runTitle } from "#lib/entry/run-title.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { quietWords } from "#lib/host/quiet-words.ts";
import type { RunRow, TurnRow, UserRow } from "#lib/store/store.ts";

/** Characters of a subject: git and hosts cut longer ones. */
const subjectMax = 72;

/**
 * Message of the commit that keeps a turn's work: the title of its prompt, then whose work it is. `person` is whose run it is; with an
 * address they are named as a co-author, as hosts read it (https://docs.github.com/pull-requests/committing-changes-to-your-project).
 */
export function commitMessage(
  run: Pick<RunRow, "id" | "agent">,
  turn: Pick<TurnRow, "number" | "prompt">,
  person: Pick<UserRow, "fullName" | "email"> | null,
  mask: (text: string) => string,
): string {
  const about = `${subjectOf(mask(withoutDirectionMarks(turn.prompt)))}\n\nErrand run ${run.id}, turn ${turn.number}, agent ${run.agent}`;
  if (person === null || person.email === null) return about;
  const quiet = { mayRefer: false, mayMention: [] };
  const plain = (words: string) =>
    withoutDirectionMarks(words)
      .replace(/[<>\s\p{Cc}]+/gu, " ")
      .trim();
  return `${about}\n\nCo-authored-by: ${quietWords(plain(person.fullName ?? ""), quiet) || plain(person.email)} <${plain(person.email)}>`;
}

/** The title of the prompt, by whoever wrote it: it may close an issue, and mentions nobody, as hosts read pushed commits. */
function subjectOf(prompt: string): string {
  return quietWords(runTitle(prompt, subjectMax), { mayRefer: true, mayMention: [] });
}

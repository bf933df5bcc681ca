import { cutText } from "#lib/cut-text.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { quietMarkdown } from "./quiet-markdown.ts";
import { joiner, quietWords, type WordRules, withoutClosing } from "./quiet-words.ts";

/**
 * A part of a text that is sent to another service. `own`: Errand's own Markdown; with `leads` it stands first if another part is
 * cut. Otherwise words of an agent or a person, which must do nothing there: no commands, no mentions but of `asker` (a login),
 * and an agent's refer to no issue.
 */
export type Part = { own: string; leads?: boolean } | { by: "agent" | "person"; text: string; asker?: string | null };

/** A text for another service; a string is an agent's. */
export type Outgoing = string | readonly Part[];

/** Characters of a comment or description: GitHub's limit, with room for a mark. The others accept more. */
const textMax = 65_000;
/** Characters of a title, with those that are added to it: the limit of GitLab and Forgejo. */
const titleMax = 255;
const cutMark = "\n\n… The rest is in the run.";

/** The parts of a text. */
export function partsOf(text: Outgoing): readonly Part[] {
  return typeof text === "string" ? [{ by: "agent", text }] : text;
}

/** The text as Markdown of a service, with an empty line between its parts. `isDescription`: of a pull request. */
export function markdownFor(
  service: "github" | "gitlab" | "forgejo" | "linear",
  text: Outgoing,
  isDescription = false,
): string {
  const parts = partsOf(text);
  // GitLab looks in a description's code, too, for words that close an issue.
  const closesInCode = service === "gitlab" && isDescription;
  const ownLength = parts.reduce((sum, part) => sum + ("own" in part ? part.own.length + 2 : 0), 0);
  let room = textMax - ownLength;
  let isCut = false;
  const leads: string[] = [];
  const written = parts.flatMap((part) => {
    if ("own" in part) {
      const own = closesInCode ? withoutClosing(part.own) : part.own;
      if (part.leads === true) leads.push(own);
      return [{ text: own, leads: part.leads === true }];
    }
    const rules = { ...rulesOf(part), closesInCode };
    const quiet = fitting(withoutDirectionMarks(part.text).trim(), room, (source) => quietMarkdown(source, rules));
    isCut ||= quiet.isCut;
    room -= quiet.text.length + 2;
    return quiet.text === "" ? [] : [{ text: quiet.text, leads: false }];
  });
  const shown = written.filter((part) => !(isCut && part.leads)).map((part) => part.text);
  const whole = [...(isCut ? leads : []), ...shown].join("\n\n");
  // GitLab takes lines between two of these at the beginning for data about the text.
  return service === "gitlab" ? whole.replace(/^(?=---|\+\+\+|;;;)/, "\\") : whole;
}

/** A title for another service: words of an agent or a person. A string is an agent's. */
export type Title = string | { by: "agent" | "person"; text: string };

/** The title as one line of words, which do nothing there. */
export function titleFor(title: Title): string {
  const part = typeof title === "string" ? { by: "agent" as const, text: title } : title;
  const line = withoutDirectionMarks(part.text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const quiet = quietWords(line, rulesOf(part));
  return cutText(part.by === "agent" ? quiet.replace(issueId, `$&${joiner}`) : quiet, titleMax, "…");
}

/** Linear links an issue whose id is anywhere in a title (https://linear.app/docs/github#link-prs). */
const issueId = /\b[a-z][a-z0-9]{0,9}-(?=\d+\b)/gi;

function rulesOf({ by, asker }: { by: "agent" | "person"; asker?: string | null }): WordRules {
  return { mayRefer: by === "person", mayMention: asker == null ? [] : [asker.toLowerCase()] };
}

/** The text as `write` gives it, at most `room` long: if it is longer, less of the text is written, and the mark after it. */
function fitting(text: string, room: number, write: (text: string) => string): { text: string; isCut: boolean } {
  const whole = text.length <= room ? write(text) : "";
  if (text.length <= room && whole.length <= room) return { text: whole, isCut: false };
  const least = Math.max(0, room - cutMark.length);
  let length = Math.min(text.length, least);
  for (;;) {
    const written = write(cutText(text, length));
    if (written.length <= least || length === 0) return { text: `${written}${cutMark}`, isCut: true };
    length = Math.max(0, Math.min(length - (written.length - least), Math.floor(length * 0.95)));
  }
}

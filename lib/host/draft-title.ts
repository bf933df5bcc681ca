import { cutText } from "#lib/cut-text.ts";

/** How hosts without a separate field mark a draft: by a prefix of its title. `written`: the prefix that is added. */
type DraftMark = { written: string; pattern: RegExp };

/** https://docs.gitlab.com/user/project/merge_requests/drafts/ */
export const gitlabDraft: DraftMark = { written: "Draft: ", pattern: /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i };
/** https://forgejo.org/docs/latest/user/pull-requests-and-git-flow/, with its default settings. */
export const forgejoDraft: DraftMark = { written: "WIP: ", pattern: /^\s*(?:\[wip\]|wip:)\s*/i };

/** The title without marks. */
export function plainTitle(title: string, { pattern }: DraftMark): string {
  let plain = title;
  while (pattern.test(plain)) plain = plain.replace(pattern, "");
  return plain;
}

/** Longest title in characters on hosts with such marks. */
const titleMax = 255;

/** The title with one mark, or none; if it is too long with the mark, it is cut. */
export function markedTitle(title: string, mark: DraftMark, draft: boolean): string {
  const marked = `${draft ? mark.written : ""}${plainTitle(title, mark)}`;
  return cutText(marked, titleMax, "…");
}

/** How hosts without a field for it mark a draft: by the beginning of its title. `written`: what is put there. */
type DraftMark = { written: string; pattern: RegExp };

/** https://docs.gitlab.com/user/project/merge_requests/drafts/ */
export const gitlabDraft: DraftMark = { written: "Draft: ", pattern: /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i };
/** https://forgejo.org/docs/latest/user/pull-requests-and-git-flow/, as it is without other settings. */
export const forgejoDraft: DraftMark = { written: "WIP: ", pattern: /^\s*(?:\[wip\]|wip:)\s*/i };

/** The title without marks. */
export function plainTitle(title: string, { pattern }: DraftMark): string {
  let plain = title;
  while (pattern.test(plain)) plain = plain.replace(pattern, "");
  return plain;
}

/** Characters of a title that hosts with such marks take. */
const titleMax = 255;

/** The title with one mark, or none; one that is too long with it is cut. */
export function markedTitle(title: string, mark: DraftMark, draft: boolean): string {
  const marked = `${draft ? mark.written : ""}${plainTitle(title, mark)}`;
  return marked.length <= titleMax ? marked : `${marked.slice(0, titleMax - 1).toWellFormed()}…`;
}

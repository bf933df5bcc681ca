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

/** The title with one mark, or none. */
export function markedTitle(title: string, mark: DraftMark, draft: boolean): string {
  return `${draft ? mark.written : ""}${plainTitle(title, mark)}`;
}

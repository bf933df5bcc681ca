/** What words may do: refer to issues and close them, and mention these logins (in lower case). */
export type WordRules = { mayRefer: boolean; mayMention: readonly string[] };

/** An invisible character that joins two words: after it, `name` is no mention and `12` no number of an issue. */
export const joiner = "\u2060";
/** A character that stands in a text for what is written there and not shown, as a comment. */
export const unseen = "\uFDD2";

/** Linear takes a person's address for a mention (https://linear.app/developers/graphql#adding-mentions-in-markdown). */
const profile = String.raw`https?:\/\/linear\.app\/[\w-]+\/profiles`;
/**
 * Addresses that every host links as a whole: what is in them mentions nobody. Without a dot they may stay words. A bracket or the
 * edge of a cell may be the end of one.
 */
const address = String.raw`(?!${profile}\/)https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?=[/?#])[^\s<>\x60*)\]|${unseen}]*`;
/** Where the target of a link begins. */
const target = String.raw`(?<=\(\s*<?|\]:\s*<?|href\s*=\s*["']?\s*)`;
/** Characters may also be written as entities, or in a link's target, which are decoded before a host looks for mentions. */
const at = String.raw`(?<![A-Za-z0-9])(?:@|&#0*64;|&#x0*40;|&commat;|${target}%40)(?=\S)`;
/** What GitLab links in brackets (https://docs.gitlab.com/user/markdown/#gitlab-specific-references), in a target also encoded. */
const kinds = ["issue", "work_item", "epic", "vulnerability", "feature_flag", "cadence", "contact", "wiki_page"]
  .map((kind) => kind.replace(/./g, (one) => `(?:${one}|%${one.charCodeAt(0).toString(16)}|&#\\w+;)${unseen}*`))
  .join("|");
const named = `(?:${kinds})(?=(?::|%3a|&colon;|&#\\w+;)${unseen}*[^\\s\\]])`;
const number = String.raw`(?:(?<!&)#|${target}%23|!|&(?=\d)|&num;|&#0*3[35];|&#x0*2[13];|&excl;)(?=${unseen}*\d+(?![A-Za-z0-9])|&#)|\bG[HL]-(?=\d)|(?:\[|${target}(?:%5b|&#\w+;))${unseen}*${named}`;
/**
 * Words that close or reopen what follows them, and that link it, of all hosts and of Linear, which reads pull requests:
 * https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue,
 * https://docs.gitlab.com/administration/issue_closing_pattern/, https://linear.app/docs/github
 */
const [closing, linking] = [
  "clos(?:e|es|ed|ing)|fix(?:|es|ed|ing)|resolv(?:e|es|ed|ing)|implement(?:|s|ed|ing)|complet(?:e|es|ed|ing)|reopen(?:|s|ed|ing)",
  "ref(?:|s)|referenc(?:e|es|ed|ing)|part of|relate(?:s|d) to|contribut(?:e|es|ed|ing) to|toward(?:|s)|duplicate of",
].map((words) => words.replace(/[a-z]/g, `$&${unseen}*`).replaceAll(" ", String.raw`[\s${unseen}]+`));
const followed =
  String.raw`(?=(?=(?<gap>[\s:>*_~\x60"'(\[<${unseen}-]+))\k<gap>(?:(?:linear )?issues?[\s:${unseen}]+)?[[(<"'*_]*` +
  String.raw`(?:https?:\/\/|[a-z][a-z0-9_]*-\d|[\w./-]{0,200}[#!]${unseen}*\d|\[?#|(?<=\[${unseen}*)${named}))`;

const live = new RegExp(
  `(?<address>${address})|(?<profile>${profile})(?=\\/)|\\b(?:(?<closing>${closing})|${linking})${followed}|(?<at>${at})|(?<number>${number})`,
  "gi",
);
/** A whole name; that of a team has a slash. */
const login = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*(?!\uFDD2*\.?[\p{L}\p{N}_-]|\/)/u;

/**
 * Where a host would see more than words in a text: after these positions the words are split invisibly. `from`: where the word
 * begins. `isClosing`: it is a word that closes what follows it.
 */
export function* livePlaces(
  text: string,
  rules: WordRules,
): Generator<{ from: number; at: number; isClosing: boolean }> {
  for (const match of text.matchAll(live)) {
    const { groups = {}, index } = match;
    const end = index + match[0].length;
    if (groups.at !== undefined) {
      const name = login.exec(text.slice(end, end + 100))?.[0].toLowerCase();
      if (name === undefined || !rules.mayMention.includes(name)) yield { from: index, at: end, isClosing: false };
    } else if (groups.profile !== undefined) yield { from: index, at: end, isClosing: false };
    else if (groups.address === undefined && !rules.mayRefer) {
      yield { from: index, at: end, isClosing: groups.closing !== undefined };
    }
  }
}

/** Words of a commit's message that keep checks from running. */
const skipping = /\[(?=(?:skip|no|ci|actions)[ _-])|^skip-checks(?=:[ \t]*true)|\*(?=\*\*NO_CI\*)/gim;

/** What a host would do because of a text that is no Markdown, apart from linking numbers; empty if nothing. */
export function actsIn(text: string): string[] {
  const some = (rules: WordRules, isClosing: boolean) =>
    [...livePlaces(text, rules)].some((place) => place.isClosing === isClosing && text[place.at] !== joiner);
  return [
    ...(some({ mayRefer: false, mayMention: [] }, true) ? ["close or reopen an issue"] : []),
    ...(some({ mayRefer: true, mayMention: [] }, false) ? ["notify somebody"] : []),
    ...(text.search(skipping) === -1 ? [] : ["keep checks from running"]),
  ];
}

/** Text that is no Markdown, as a title or a commit's message, whose words only are words there: none keeps checks from running. */
export function quietWords(text: string, rules: WordRules): string {
  return splitAt(text, [...livePlaces(text, rules)]).replace(skipping, `$&${joiner}`);
}

/** The text without closing words, as in a quotation that a host searches for them. */
export function withoutClosing(text: string): string {
  return splitAt(
    text,
    [...livePlaces(text, { mayRefer: false, mayMention: [] })].filter(({ isClosing }) => isClosing),
  );
}

function splitAt(text: string, places: readonly { at: number }[]): string {
  return (
    places.map(({ at }, index) => text.slice(places[index - 1]?.at ?? 0, at) + joiner).join("") +
    text.slice(places.at(-1)?.at ?? 0)
  );
}

/** A text of a host without the characters that {@link quietWords} adds. */
export function withoutJoiners(text: string): string {
  return text.replaceAll(joiner, "");
}

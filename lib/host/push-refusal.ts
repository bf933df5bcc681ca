import { cutText } from "#lib/cut-text.ts";
import { maskSent } from "./mask-sent.ts";

/** Kind of a refused push: `protected`: a rule of the repository; `scope`: a right that the credential lacks. */
export type PushRefusalCode = "protected" | "scope" | "unauthorized" | "push_refused";

/** A refused push as it may be shown. `hint`: what to do about it, or null. */
export type PushRefusal = { code: PushRefusalCode; message: string; hint: string | null };

/** By the words of hosts, in this order; a bare `hook declined` is a rule whose words the host keeps to itself. */
const kinds: [PushRefusalCode, RegExp][] = [
  ["unauthorized", /returned error: 401|Authentication failed|could not read (?:Username|Password)/i],
  [
    "scope",
    /without .?workflows?.? (?:scope|permission)|not allowed to push code to this project|permission denied for writing|required scope|insufficient|let Errand push/i,
  ],
  ["protected", /protected|protection|rule violations|\bGH0\d\d\b|follow the pattern|push rule|hook declined/i],
];

const hints: Record<PushRefusalCode, string | null> = {
  unauthorized: "Enter a new token under Integrations.",
  scope:
    "The integration's token or App needs the right to write the repository's contents, and its workflows if the work changes them.",
  protected:
    "A rule on the code host, such as branch protection, refused it. Change the rule, or make it allow the branches errand/run-….",
  push_refused: null,
};

const messageMax = 500;

/**
 * A refused push, from its reason in the words of the host (lib/workspace/push-refusal.ts): GitHub's, GitLab's and Forgejo's are
 * known. `authorization`: the header that was sent, or null; without one, only a rule can be told apart.
 */
export function pushRefusal(
  reason: string,
  { authorization, mask }: { authorization: string | null; mask(text: string): string },
): PushRefusal {
  const masked = mask(authorization === null ? reason : maskSent(reason, { authorization }));
  const message = cutText(masked, messageMax, "…");
  const [code = "push_refused"] = kinds.find(([, words]) => words.test(reason)) ?? [];
  if (authorization === null && code !== "protected") return { code: "push_refused", message, hint: null };
  return { code, message, hint: hints[code] };
}

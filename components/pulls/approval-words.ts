/** Why a person's own token is a bad choice, for where one is entered or used. */
export const ownTokenWords =
  "If you use your own token, you cannot approve the pull requests Errand opens: code hosts do not let people approve their own.";

/** The words if an integration's account may be a person's; null for an App or a bot, whose pull requests everybody may approve. */
export function approvalNote(
  integrationType: string,
  { account, account_kind }: { account?: string | null | undefined; account_kind?: string | null | undefined },
): string | null {
  const isHost = integrationType === "github" || integrationType === "gitlab" || integrationType === "forgejo";
  if (!isHost || account == null || account_kind !== "user") return null;
  return `If ${account} is a person's own account, they cannot approve the pull requests Errand opens: code hosts do not let people approve their own.`;
}

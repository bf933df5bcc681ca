import { ownTokenWords } from "#components/pulls/approval-words.ts";
import type { IntegrationType } from "#lib/contract/integrations/integration.ts";

/** The form's texts for an integration's fields. */
export type ConnectWords = {
  token: string;
  tokenHint: string;
  hookSecret: string;
  hookHint: string;
  /** Whether the service itself generates the webhook secret. */
  givesHookSecret: boolean;
};

const ownSecret = "Enter the same secret where you add the webhook.";

/** Texts of each integration. */
export const connectWords: Record<IntegrationType, ConnectWords> = {
  github: {
    token: "Access token",
    tokenHint:
      "Preferably a machine user's. Fine-grained: read and write contents, issues and pull requests; read checks and commit statuses; write workflows, if changed workflows are pushed. Classic: repo. " +
      ownTokenWords,
    hookSecret: "Webhook secret",
    hookHint: ownSecret,
    givesHookSecret: false,
  },
  gitlab: {
    token: "Access token",
    tokenHint: `With the scopes api and write_repository, and the role Developer or higher. ${ownTokenWords}`,
    hookSecret: "Webhook secret",
    hookHint: ownSecret,
    givesHookSecret: false,
  },
  forgejo: {
    token: "Access token",
    tokenHint:
      "With the scopes read:user, write:repository and write:issue. Without pull requests, read:repository is enough. " +
      ownTokenWords,
    hookSecret: "Webhook secret",
    hookHint: ownSecret,
    givesHookSecret: false,
  },
  slack: {
    token: "Bot token",
    tokenHint: "Begins with xoxb-. It needs app_mentions:read, chat:write, channels:history and groups:history.",
    hookSecret: "Signing secret",
    hookHint: "From the app's Basic Information page.",
    givesHookSecret: true,
  },
  linear: {
    token: "API key",
    tokenHint: "Of the account that Errand should post as.",
    hookSecret: "Signing secret",
    hookHint: "Linear shows it where you add the webhook.",
    givesHookSecret: true,
  },
};

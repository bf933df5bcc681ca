import type { CallBody } from "#lib/client/request.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integrations/integration.ts";
import { integrationAddresses, mentionDefault } from "#lib/contract/words.ts";

/** Values of the form; secrets, addresses and ids have the API's names. */
export type Draft = {
  base_url: string;
  token: string;
  isApp: boolean;
  app_id: string;
  installation_id: string;
  private_key: string;
  hook_secret: string;
  mention: string;
  /** Logins, separated by commas. */
  bots: string;
  channel: string;
  notifyWaiting: boolean;
  notifyFinished: boolean;
  /** Channels or teams with their repositories; null if none is chosen yet. */
  places: { key: string; place: string; repositoryId: number | null }[];
};

/** Initial values of the form. */
export function draftOf(type: IntegrationType, { metadata, installation_id }: IntegrationStatus): Draft {
  const { base_url, account_kind, settings } = metadata;
  return {
    base_url: base_url === undefined || base_url === integrationAddresses[type] ? "" : base_url,
    token: "",
    isApp: account_kind === "app" && type === "github",
    app_id: "",
    installation_id: installation_id === null ? "" : String(installation_id),
    private_key: "",
    hook_secret: "",
    mention: settings?.mention ?? mentionDefault,
    bots: settings?.bots.join(", ") ?? "",
    channel: settings?.channel ?? "",
    notifyWaiting: settings?.notify_waiting ?? false,
    notifyFinished: settings?.notify_finished ?? false,
    places: Object.entries(settings?.repositories ?? {}).map(([place, repositoryId]) => ({
      key: place,
      place,
      repositoryId,
    })),
  };
}

/** Request for the form's values. Secrets that were not entered stay as they are. */
export function bodyOf(
  type: IntegrationType,
  draft: Draft,
  { metadata }: IntegrationStatus,
): CallBody<"putIntegration"> {
  const address = draft.base_url.trim();
  const isSlack = type === "slack";
  const channel = draft.channel.trim();
  const places = draft.places.filter(({ place, repositoryId }) => place.trim() !== "" && repositoryId !== null);
  return {
    ...(address === "" && metadata.connected !== true ? {} : { base_url: address === "" ? null : address }),
    ...secretOf(draft),
    ...(draft.hook_secret === "" ? {} : { hook_secret: draft.hook_secret }),
    settings: {
      mention: draft.mention.trim() === "" ? mentionDefault : draft.mention.trim().replace(/^@/, ""),
      repositories: Object.fromEntries(places.map(({ place, repositoryId }) => [place.trim(), repositoryId ?? 0])),
      ...(isSlack
        ? {
            channel: channel === "" ? null : channel,
            notify_waiting: draft.notifyWaiting,
            notify_finished: draft.notifyFinished,
          }
        : {}),
      ...(isSlack || type === "linear" ? {} : { bots: botsOf(draft.bots) }),
    },
  };
}

/** Each bot once, whatever its case. */
function botsOf(text: string): string[] {
  const logins = text.split(/[\s,]+/).map((login) => login.replace(/^@/, ""));
  const known = logins.map((login) => login.toLowerCase());
  return logins.filter((login, at) => login !== "" && known.indexOf(login.toLowerCase()) === at);
}

function secretOf({ isApp, token, app_id, installation_id, private_key }: Draft) {
  if (!isApp) return token === "" ? {} : { token: token.trim() };
  // What is not a whole number is sent as 0, which the service refuses at this field.
  const wholeOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : 0);
  return {
    ...(private_key.trim() === "" ? {} : { private_key: private_key.trim() }),
    ...(app_id.trim() === "" ? {} : { app_id: wholeOf(app_id) }),
    ...(installation_id.trim() === "" ? {} : { installation_id: wholeOf(installation_id) }),
  };
}

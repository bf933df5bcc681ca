import type { CallBody } from "#lib/client/request.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integration.ts";
import { integrationAddresses, mentionDefault } from "#lib/contract/words.ts";

/** Values of the form. */
export type Draft = {
  address: string;
  token: string;
  isApp: boolean;
  appId: string;
  installationId: string;
  privateKey: string;
  hookSecret: string;
  mention: string;
  /** Logins, separated by commas. */
  bots: string;
  channel: string;
  notifyWaiting: boolean;
  notifyFinished: boolean;
  /** Channels or teams with their repositories; null if none is chosen yet. */
  places: { key: number; place: string; repositoryId: number | null }[];
};

/** Initial values of the form. */
export function draftOf(type: IntegrationType, { metadata, installation_id }: IntegrationStatus): Draft {
  const { base_url, account_kind, settings } = metadata;
  return {
    address: base_url === undefined || base_url === integrationAddresses[type] ? "" : base_url,
    token: "",
    isApp: account_kind === "app" && type === "github",
    appId: "",
    installationId: installation_id === null ? "" : String(installation_id),
    privateKey: "",
    hookSecret: "",
    mention: settings?.mention ?? mentionDefault,
    bots: settings?.bots.join(", ") ?? "",
    channel: settings?.channel ?? "",
    notifyWaiting: settings?.notify_waiting ?? false,
    notifyFinished: settings?.notify_finished ?? false,
    places: Object.entries(settings?.repositories ?? {}).map(([place, repositoryId], key) => ({
      key,
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
  const address = draft.address.trim();
  const isSlack = type === "slack";
  const channel = draft.channel.trim();
  const places = draft.places.filter(({ place, repositoryId }) => place.trim() !== "" && repositoryId !== null);
  return {
    ...(address === "" && metadata.connected !== true ? {} : { base_url: address === "" ? null : address }),
    ...secretOf(draft),
    ...(draft.hookSecret === "" ? {} : { hook_secret: draft.hookSecret }),
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

function secretOf({ isApp, token, appId, installationId, privateKey }: Draft) {
  if (!isApp) return token === "" ? {} : { token: token.trim() };
  // What is not a whole number is sent as 0, which the service refuses at this field.
  const wholeOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : 0);
  return {
    ...(privateKey.trim() === "" ? {} : { private_key: privateKey.trim() }),
    ...(appId.trim() === "" ? {} : { app_id: wholeOf(appId) }),
    ...(installationId.trim() === "" ? {} : { installation_id: wholeOf(installationId) }),
  };
}

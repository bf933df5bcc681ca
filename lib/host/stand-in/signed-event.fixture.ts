import { createHmac, randomUUID } from "node:crypto";
import type { HostKind } from "#lib/host/host.ts";

/** Secret for signing a stand-in's events. */
export const hostHookSecret = "stand-in-hook-secret";

/** An event as its host sends it. */
export type SentEvent = { headers: Record<string, string>; body: string };

/** An event of this name, signed as the host does, with a unique delivery id. */
export function signedEvent(kind: HostKind, name: string, payload: object): SentEvent {
  const body = JSON.stringify(payload);
  const signature = createHmac("sha256", hostHookSecret).update(body).digest("hex");
  const json = { "content-type": "application/json" };
  switch (kind) {
    case "github":
      return {
        body,
        headers: {
          ...json,
          "x-github-event": name,
          "x-github-delivery": randomUUID(),
          "x-hub-signature-256": `sha256=${signature}`,
        },
      };
    case "gitlab":
      return {
        body,
        headers: {
          ...json,
          "x-gitlab-event": name,
          "x-gitlab-event-uuid": randomUUID(),
          "x-gitlab-token": hostHookSecret,
        },
      };
    case "forgejo":
      return {
        body,
        headers: {
          ...json,
          "x-forgejo-event": name,
          "x-forgejo-delivery": randomUUID(),
          "x-forgejo-signature": signature,
        },
      };
  }
}

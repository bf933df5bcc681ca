import { findSession, requestOrigin } from "#components/session/read-session.ts";
import { call } from "#lib/client/request.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";
import { type ApiWords, describeApi } from "./api-description.ts";

/** The signed-in reader of the documentation. */
export type Reader = { userName: string; organizationId: number; organizationName: string };

/** Data for the documentation's pages. */
export type Docs = {
  api: ApiWords;
  /** Address at which the reader reaches the service: `https://errand.example`. */
  origin: string;
  /** Null if nobody is signed in. */
  reader: Reader | null;
};

// Neither the contract nor the configured limits change while the service runs.
let described: ApiWords | undefined;

/** Reads this installation's API description. Throws if the service cannot respond. */
export async function readDocs(): Promise<Docs> {
  described ??= describeApi(await call("getOpenapi", {}, anonymousTransport));
  return { api: described, origin: await requestOrigin(), reader: await findReader() };
}

/** Address of the reader's organization in the API; of the first one if nobody is signed in. */
export function organizationBase({ origin, reader }: Docs): string {
  return `${origin}/v1/organizations/${reader?.organizationId ?? 1}`;
}

async function findReader(): Promise<Reader | null> {
  // A person without an organization can read the documentation, but has nothing to try it with.
  const session = await findSession().catch(() => null);
  if (session === null) return null;
  const { user, organization } = session;
  return {
    userName: user.full_name ?? user.email ?? "you",
    organizationId: organization.id,
    organizationName: organization.name,
  };
}

import { findSession, requestOrigin } from "#components/session/read-session.ts";
import { call } from "#lib/client/request.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";
import { getOpenapi } from "#lib/contract/service-operations.ts";
import { type ApiWords, describeApi } from "./api-description.ts";

/** Who reads the documentation while signed in. */
export type Reader = { userName: string; organizationId: number; organizationName: string };

/** What the pages of the documentation are drawn from. */
export type Docs = {
  api: ApiWords;
  /** Where the reader reaches the service: `https://errand.example`. */
  origin: string;
  /** Null where nobody is signed in. */
  reader: Reader | null;
};

// Neither the contract nor the configured limits change while the service runs.
let described: ApiWords | undefined;

/** Reads the description of the API as this installation gives it. Throws where the service cannot answer. */
export async function readDocs(): Promise<Docs> {
  described ??= describeApi(await call(getOpenapi, {}, anonymousTransport));
  return { api: described, origin: await requestOrigin(), reader: await findReader() };
}

/** The address of the reader's organization in the API; of the first where nobody is signed in. */
export function organizationBase({ origin, reader }: Docs): string {
  return `${origin}/v1/organizations/${reader?.organizationId ?? 1}`;
}

async function findReader(): Promise<Reader | null> {
  // Whoever belongs to no organization can read the documentation, but has nothing to try it with.
  const session = await findSession().catch(() => null);
  if (session === null) return null;
  const { user, organization } = session;
  return {
    userName: user.full_name ?? user.email ?? "you",
    organizationId: organization.id,
    organizationName: organization.name,
  };
}

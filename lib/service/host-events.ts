import { ApiError, notFound } from "#lib/contract/error.ts";
import type { EventTaken } from "#lib/contract/integrations/hook.ts";
import type { HostChange } from "#lib/host/host-change.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { isAuthentic, readDelivery } from "#lib/host/read-delivery.ts";
import { SealError } from "#lib/secrets/seal.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import { Accepted } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

/** A signed request: its headers, and the raw body on demand. */
type SignedRequest = {
  params: { integration_id: number };
  header(name: string): string | null;
  readBody(): Promise<Uint8Array>;
  parse(bytes: Uint8Array): unknown;
};

/** Characters of a message that are kept; hosts accept no longer comments. */
const bodyCharactersMax = 256 * 1024;

/**
 * Accepts an event of a connected service: stores mentions for the engine, and makes affected pull requests due now. 404 for an
 * unknown integration, 401 without a reason if the signature is wrong.
 */
export async function receiveEvent(context: ServiceContext, request: SignedRequest): Promise<Accepted | EventTaken> {
  const { store, seal } = context;
  const integration = await store.integrations.findById(request.params.integration_id);
  if (integration === null) throw notFound("Integration");
  const bytes = await request.readBody();
  const secret = hookSecretOf(integration, seal);
  const nowMs = context.now().getTime();
  const { header } = request;
  if (secret === null || !isAuthentic(integration.type, { header, bytes, secret, nowMs })) throw unproved();
  const payload = request.parse(bytes);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    const field = { loc: ["body"], msg: "must be a JSON object", type: "value_error" };
    throw new ApiError("invalid_parameters", "The body must be a JSON object.", { fields: [field] });
  }
  const delivery = readDelivery(integration, { header, bytes, payload, nowMs });
  if (delivery.kind === "stale") throw unproved();
  if (delivery.kind === "hello") {
    const { challenge } = delivery;
    return { accepted: false, duplicate: false, ...(challenge === null ? {} : { challenge }) };
  }
  const body = delivery.message === null ? null : JSON.stringify(delivery.message);
  const tooLong = body !== null && body.length > bodyCharactersMax;
  const kept = await store.conversations.keep(integration.id, {
    deliveryId: delivery.deliveryId,
    kind: delivery.name,
    saidKey: delivery.saidKey,
    body: tooLong ? null : body,
    note: tooLong ? "it is too long" : delivery.note,
  });
  if (kept === "absent") throw notFound("Integration");
  if (kept === "duplicate") return { accepted: false, duplicate: true };
  const looked = delivery.happened === null ? 0 : await lookAt(context, integration.id, delivery.happened);
  return new Accepted({ accepted: looked > 0 || (body !== null && !tooLong), duplicate: false } satisfies EventTaken);
}

/** The secret that its events are signed with; null if there is none. 503 if it cannot be decrypted. */
function hookSecretOf(integration: IntegrationRow, seal: ServiceContext["seal"]): string | null {
  const sealed = integration.hookSecretSealed;
  if (sealed === null) return null;
  try {
    return seal.unseal(sealed, sealContextOf(integration, "hook"));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const detail = "The secret of this integration's events cannot be decrypted. An admin must enter it again.";
    // Nobody knows who sent it.
    throw new ApiError("unavailable", detail, { isFailedAuthentication: true });
  }
}

/** Makes the pull requests affected by an event due now. Returns their number. */
async function lookAt(
  { store }: ServiceContext,
  integrationId: number,
  { repository, number, commit, branch }: HostChange,
): Promise<number> {
  return await store.pulls.wake({
    integrationId,
    fullName: repository,
    ...(number === null ? {} : { number }),
    ...(commit === null ? {} : { commit }),
    ...(branch === null ? {} : { branch }),
  });
}

/** Always the same message, so that guessing reveals nothing. */
function unproved(): ApiError {
  return new ApiError("unauthenticated", "The event is not signed with the secret of this integration.", {
    headers: { "www-authenticate": "Signature" },
    isFailedAuthentication: true,
  });
}

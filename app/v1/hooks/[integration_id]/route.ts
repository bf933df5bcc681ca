import { receiveEvent } from "#lib/contract/integrations/hook.ts";
import { signedEndpoint } from "#lib/http/endpoint.ts";
import * as hostEvents from "#lib/service/host-events.ts";

export const POST = signedEndpoint(receiveEvent, hostEvents.receiveEvent);

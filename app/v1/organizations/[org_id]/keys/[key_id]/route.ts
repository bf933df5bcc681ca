import { deleteKey } from "#lib/contract/repositories/agent-key.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as keys from "#lib/service/agent-keys.ts";

export const DELETE = endpoint(deleteKey, keys.deleteKey);

import { listKeys, putKey } from "#lib/contract/repositories/agent-key.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as keys from "#lib/service/agent-keys.ts";

export const GET = endpoint(listKeys, keys.listKeys);
export const PUT = endpoint(putKey, keys.putKey);

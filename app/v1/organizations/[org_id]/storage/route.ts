import { getStorage } from "#lib/contract/repositories/storage.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as storage from "#lib/service/storage.ts";

export const GET = endpoint(getStorage, storage.getStorage);

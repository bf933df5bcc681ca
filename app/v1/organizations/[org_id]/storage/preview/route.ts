import { previewRetention } from "#lib/contract/repositories/storage.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as storage from "#lib/service/storage.ts";

export const POST = endpoint(previewRetention, storage.previewRetention);

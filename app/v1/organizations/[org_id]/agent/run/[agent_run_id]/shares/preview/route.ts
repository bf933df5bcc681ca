import { previewShare } from "#lib/contract/runs/share.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as preview from "#lib/service/share-preview.ts";

export const GET = endpoint(previewShare, preview.previewShare);

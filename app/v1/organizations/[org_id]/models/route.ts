import { listModels } from "#lib/contract/runs/model-list.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as models from "#lib/service/models.ts";

export const GET = endpoint(listModels, models.listModels);

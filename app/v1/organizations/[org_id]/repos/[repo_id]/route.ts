import { getRepository } from "#lib/contract/repository.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as repositories from "#lib/service/repositories.ts";

export const GET = endpoint(getRepository, repositories.getRepository);

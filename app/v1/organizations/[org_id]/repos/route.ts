import { createRepository, listRepositories } from "#lib/contract/repositories/repository.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as repositories from "#lib/service/repositories.ts";

export const GET = endpoint(listRepositories, repositories.listRepositories);
export const POST = endpoint(createRepository, repositories.createRepository);

import { deleteRepository, getRepository, updateRepository } from "#lib/contract/repositories/repository.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as deletions from "#lib/service/delete-repository.ts";
import * as repositories from "#lib/service/repositories.ts";

export const GET = endpoint(getRepository, repositories.getRepository);
export const PATCH = endpoint(updateRepository, repositories.updateRepository);
export const DELETE = endpoint(deleteRepository, deletions.deleteRepository);

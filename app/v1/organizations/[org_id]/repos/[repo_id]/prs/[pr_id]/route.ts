import { editRepositoryPullRequest } from "#lib/contract/runs/pull-request.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as pullRequests from "#lib/service/pull-requests.ts";

export const PATCH = endpoint(editRepositoryPullRequest, pullRequests.editRepositoryPullRequest);

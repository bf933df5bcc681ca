import { findInSharedLogs } from "#lib/contract/runs/shared-run.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as find from "#lib/service/find.ts";

export const GET = publicEndpoint(findInSharedLogs, find.findInSharedLogs);

import { findInSharedLogs } from "#lib/contract/shared-run.ts";
import { publicEndpoint } from "#lib/http/endpoint.ts";
import * as shared from "#lib/service/shared-find.ts";

export const GET = publicEndpoint(findInSharedLogs, shared.findInSharedLogs);

import { getClaudeSession } from "#lib/contract/logs/claude-code.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as claude from "#lib/service/claude-sessions.ts";

export const GET = endpoint(getClaudeSession, claude.getClaudeSession);

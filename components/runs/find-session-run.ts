import { requireSession } from "#components/session/read-session.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { call } from "#lib/client/request.ts";

/**
 * Id of a Claude Code session's run, read on the server; null if the organization has no such session. Redirects to the sign-in
 * page if nobody is signed in.
 */
export async function findSessionRun(sessionId: string): Promise<number | null> {
  const { organization, transport } = await requireSession(`/claude-code/${encodeURIComponent(sessionId)}`);
  try {
    const params = { org_id: organization.id, session_id: sessionId };
    return (await call("getClaudeSession", { params }, transport)).agent_run_id;
  } catch (error) {
    if (error instanceof ClientError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}

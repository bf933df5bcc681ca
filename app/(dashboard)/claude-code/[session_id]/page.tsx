import { notFound, redirect } from "next/navigation";
import { findSessionRun } from "#components/runs/find-session-run.ts";

/** The address that clients print for a Claude Code session. Redirects to the session's run. */
export default async function ClaudeCodePage({ params }: PageProps<"/claude-code/[session_id]">) {
  const runId = await findSessionRun((await params).session_id);
  if (runId === null) notFound();
  redirect(`/runs/${runId}`);
}

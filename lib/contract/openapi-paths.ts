/** Descriptions of path parameters, unless their schemas have one. */
export const pathWords: Record<string, string> = {
  org_id: "The organization",
  agent_run_id: "The run",
  repo_id: "The repository",
  user_id: "The person",
  pr_id: "The pull request",
  token_id: "The API token",
  share_id: "The share link",
  sandbox_id: "The run: a sandbox has its run's id",
  invitation_id: "The invitation",
  integration_id: "The integration, as in its `metadata.hook_url`",
  delivery_id: "The delivery",
  seq: "The entry's number, from 1",
  turn: "The turn's number, from 1",
  session_id: "The session's UUID, as Claude Code names its file",
  code: "The code of the link",
  external_id: "The person in the connected service",
};

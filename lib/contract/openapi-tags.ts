/** What the operations of each tag are for. */
export const tagDescriptions: Record<string, string> = {
  "Agent runs": "Start runs, follow them, steer them, read what they did",
  "Claude Code": "Sessions of Claude Code in somebody's own terminal, as live runs; its telemetry",
  "Share links": "Links that let people without an account read a run, and what they read",
  Repositories: "The repositories that runs work in, and the commands that prepare a checkout",
  "Pull requests": "What runs have proposed on a code host",
  Tools: "The work that the API offers to a language model as tools, and what it may use",
  Agents: "The coding agents of this installation",
  Integrations: "Code hosts and chats that an organization is connected to",
  "Organizations and users": "Organizations, their settings, their members and the audit log",
  People: "Roles, invitations and links that set a new password",
  Tokens: "API tokens",
  Webhooks: "Messages to other systems when runs start, wait and end",
  Session: "Signing in and out in a browser",
  Service: "This description, and whether the service works",
};

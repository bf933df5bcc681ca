import type { Tag } from "#lib/contract/addresses.ts";

/** Purpose of the operations of each tag. */
export const tagDescriptions: Record<string, string> = {
  "Agent runs": "Start runs, find them, steer them",
  "Run logs": "Read, follow, search, export and analyze what runs did, and report it from outside",
  "Changes and pull requests": "What runs have changed, and what they have proposed on a code host",
  "Claude Code":
    "Claude Code sessions in someone's own terminal as live runs, and their telemetry. Start `codegen claude` only with `--no-mcp`: without it, Claude Code sends the token to an MCP server of Codegen's",
  "Share links": "Links that let people without an account read a run, and what they read with them",
  Repositories: "The repositories runs work in, and the commands that prepare a checkout",
  Tools: "What the API offers a language model as tools",
  Agents: "The coding agents of this installation",
  Integrations: "Code hosts and chats an organization is connected to",
  "Organizations and users": "Organizations, their settings, their members and the audit log",
  People: "Roles, invitations and links that set a new password",
  Tokens: "API tokens",
  Webhooks: "Messages to other systems when runs start, wait and end",
  Session: "Signing in and out in a browser",
  Service: "This description, and the service's health",
} satisfies Record<Tag, string>;

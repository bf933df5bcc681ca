/** The parts of the guide in the order in which they are read. Their ids are permanent anchors. */
export const guideSections = [
  { id: "start", title: "Start here" },
  { id: "authentication", title: "Authentication" },
  { id: "permissions", title: "Who may do what" },
  { id: "lists", title: "Paging" },
  { id: "stream", title: "Following live" },
  { id: "runs", title: "Statuses of a run" },
  { id: "entries", title: "Log entries" },
  { id: "errors", title: "Errors" },
  { id: "idempotency", title: "Safe retries" },
  { id: "conditional", title: "Conditional requests" },
  { id: "rate-limits", title: "Rate limits" },
  { id: "limits", title: "Sizes and other limits" },
  { id: "webhooks", title: "Webhooks" },
  { id: "mcp", title: "MCP server" },
  { id: "git", title: "Git" },
  { id: "metrics", title: "Metrics" },
  { id: "codegen", title: "Coming from Codegen" },
  { id: "compatibility", title: "Compatibility" },
  { id: "operations", title: "All operations" },
] as const;

export type GuideSection = (typeof guideSections)[number]["id"];

import type { ToolKind } from "#lib/entry/tool-view.ts";

/** Wording of the agent's request to use a tool as a question; `files` is the number of files an edit changes. */
export function questionWords(kind: ToolKind, files: number): string {
  switch (kind) {
    case "shell":
      return "Run this command?";
    case "edit":
      return files > 1 ? `Change these ${files} files?` : "Change this file?";
    case "read":
      return "Read this file?";
    case "list":
    case "search":
      return "Search these files?";
    case "fetch":
    case "browser":
      return "Open this address?";
    case "agent":
      return "Start another agent?";
    case "plan":
      return "Continue with this plan?";
    case "question":
    case "think":
    case "answer":
    case "generic":
      return "Allow this?";
  }
}

import type { MessageType } from "#lib/contract/logs/entry.ts";
import { interruptionOf } from "./interruption.ts";

/** Labels of entry types, on cards, in filters, on the timeline and in exports. */
export const messageTypeLabels: Record<MessageType, string> = {
  ACTION: "Tool call",
  PLAN_EVALUATION: "Thought",
  FINAL_ANSWER: "Answer",
  ERROR: "Error",
  USER_MESSAGE: "Message",
  USER_GITHUB_ISSUE_COMMENT: "Comment",
  INITIAL_PR_GENERATION: "Pull request",
  DETECT_PR_ERRORS: "Checks of the pull request",
  FIX_PR_ERRORS: "Failed checks to fix",
  PR_CREATION_FAILED: "Pull request not opened",
  PR_EVALUATION: "Pull request result",
  COMMIT_EVALUATION: "Commits checked",
  AGENT_RUN_LINK: "Linked run",
};

/** Label of a message type; an unknown type becomes its own words. */
export function messageTypeLabel(messageType: string): string {
  if (isKnown(messageType)) return messageTypeLabels[messageType];
  const words = messageType.toLowerCase().replaceAll("_", " ").trim();
  return words === "" ? "Step" : words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Title of an entry: a tool call is named after its tool, a thought that is a checklist is a plan, and an interruption says so;
 * all others by their type.
 */
export function entryTitleOf(entry: {
  message_type: string;
  tool_name: string | null;
  thought: string | null;
  observation: unknown;
}): string {
  const { message_type, tool_name, thought, observation } = entry;
  if (message_type === "ACTION") return tool_name || "Tool";
  if (message_type === "PLAN_EVALUATION" && thought !== null && isChecklist(thought)) return "Plan";
  if (interruptionOf(observation) !== null) return "Interrupted";
  return messageTypeLabel(message_type);
}

function isChecklist(text: string): boolean {
  return /^\s*[-*] \[[ xX~!-]\] /.test(text);
}

function isKnown(messageType: string): messageType is MessageType {
  return Object.hasOwn(messageTypeLabels, messageType);
}

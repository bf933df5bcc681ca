import {
  Bot,
  Braces,
  CircleSlash,
  CircleX,
  FilePen,
  FileText,
  Flag,
  GitCommitHorizontal,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestCreateArrow,
  Globe,
  Link2,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  Search,
  SearchCheck,
  SquareTerminal,
  User,
  Wrench,
} from "lucide-react";
import type { LogEntry, MessageType } from "#lib/contract/entry.ts";
import { interruptionOf } from "./observation.ts";
import { headlineOf, type ToolKind, toolViewOf } from "./tools/tool-kind.ts";
import { toolResultOf } from "./tools/tool-result.ts";

/** What an entry is called and the icon on its rail. */
export type EntryLook = { label: string; icon: LucideIcon; colour: string };

const quiet = "text-muted-foreground";

const looks: Record<Exclude<MessageType, "ACTION">, EntryLook> = {
  PLAN_EVALUATION: { label: "Plan", icon: ListChecks, colour: quiet },
  FINAL_ANSWER: { label: "Answer", icon: Flag, colour: "text-status-completed" },
  ERROR: { label: "Error", icon: CircleX, colour: "text-status-failed" },
  USER_MESSAGE: { label: "Message", icon: User, colour: "text-foreground" },
  USER_GITHUB_ISSUE_COMMENT: { label: "Issue comment", icon: MessageSquareText, colour: "text-foreground" },
  INITIAL_PR_GENERATION: { label: "Pull request", icon: GitPullRequestCreateArrow, colour: quiet },
  DETECT_PR_ERRORS: { label: "Looking at the pull request's checks", icon: SearchCheck, colour: quiet },
  FIX_PR_ERRORS: { label: "Fixing the pull request's checks", icon: Wrench, colour: quiet },
  PR_CREATION_FAILED: {
    label: "The pull request could not be created",
    icon: GitPullRequestClosed,
    colour: "text-status-failed",
  },
  PR_EVALUATION: { label: "Pull request reviewed", icon: GitPullRequest, colour: quiet },
  COMMIT_EVALUATION: { label: "Commit reviewed", icon: GitCommitHorizontal, colour: quiet },
  AGENT_RUN_LINK: { label: "Another run", icon: Link2, colour: quiet },
};

/** The icon of each kind of tool. */
export const toolIcons: Record<ToolKind, LucideIcon> = {
  shell: SquareTerminal,
  edit: FilePen,
  read: FileText,
  search: Search,
  fetch: Globe,
  generic: Braces,
};

/** How an entry looks on its rail; a type that is not known here is called as it is written. */
export function entryLookOf(entry: LogEntry): EntryLook {
  const { message_type } = entry;
  if (message_type === "ACTION") {
    const { kind } = toolViewOf(entry);
    return { label: entry.tool_name ?? "Tool", icon: toolIcons[kind], colour: quiet };
  }
  if (interruptionOf(entry.observation) !== null) return { label: "Interrupted", icon: CircleSlash, colour: quiet };
  if (isKnown(message_type)) return looks[message_type];
  return { label: wordsOf(message_type), icon: Bot, colour: quiet };
}

/** What entries of a type are called, among each other. */
export function messageTypeLabel(messageType: MessageType): string {
  return messageType === "ACTION" ? "Tool call" : looks[messageType].label;
}

/** The accessible name of an entry's card: its number, what it is, and the one thing that matters of it. */
export function entryNameOf(entry: LogEntry): string {
  const { label } = entryLookOf(entry);
  if (entry.message_type !== "ACTION") return `Step ${entry.seq}, ${label}`;
  const headline = headlineOf(toolViewOf(entry)).slice(0, 120);
  const { exitCode, status } = toolResultOf(entry.tool_output);
  const end = exitCode !== null ? `exit ${exitCode}` : status === "completed" ? null : status;
  return [`Step ${entry.seq}`, label, headline, end].filter(Boolean).join(", ");
}

function isKnown(messageType: string): messageType is keyof typeof looks {
  return Object.hasOwn(looks, messageType);
}

function wordsOf(messageType: string): string {
  const words = messageType.toLowerCase().replaceAll("_", " ").trim();
  return words === "" ? "Step" : words.charAt(0).toUpperCase() + words.slice(1);
}

import {
  AppWindow,
  Bot,
  Braces,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  FilePen,
  FileText,
  Flag,
  FolderTree,
  GitCommitHorizontal,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestCreateArrow,
  Globe,
  Lightbulb,
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
import type { LogEntry, MessageType } from "#lib/contract/logs/entry.ts";
import { interruptionOf } from "#lib/entry/interruption.ts";
import { entryTitleOf } from "#lib/entry/labels.ts";
import { headlineOf, type ToolKind } from "#lib/entry/tool-view.ts";
import { entryOutcome, entryResult, entryView, isInjected } from "./entry-meaning.ts";
import { outcomeLooks } from "./outcome-look.ts";

/** Label of an entry, and the icon on its rail. */
export type EntryLook = { label: string; icon: LucideIcon; color: string };

const quiet = "text-muted-foreground";

type Look = Omit<EntryLook, "label">;

const looks: Record<Exclude<MessageType, "ACTION">, Look> = {
  PLAN_EVALUATION: { icon: Lightbulb, color: quiet },
  FINAL_ANSWER: { icon: Flag, color: "text-status-completed" },
  ERROR: { icon: CircleX, color: "text-status-failed" },
  USER_MESSAGE: { icon: User, color: "text-foreground" },
  USER_GITHUB_ISSUE_COMMENT: { icon: MessageSquareText, color: "text-foreground" },
  INITIAL_PR_GENERATION: { icon: GitPullRequestCreateArrow, color: quiet },
  DETECT_PR_ERRORS: { icon: SearchCheck, color: quiet },
  FIX_PR_ERRORS: { icon: Wrench, color: quiet },
  PR_CREATION_FAILED: { icon: GitPullRequestClosed, color: "text-status-failed" },
  PR_EVALUATION: { icon: GitPullRequest, color: quiet },
  COMMIT_EVALUATION: { icon: GitCommitHorizontal, color: quiet },
  AGENT_RUN_LINK: { icon: Link2, color: quiet },
};

/** The icon of each kind of tool. */
export const toolIcons: Record<ToolKind, LucideIcon> = {
  shell: SquareTerminal,
  edit: FilePen,
  read: FileText,
  search: Search,
  list: FolderTree,
  fetch: Globe,
  plan: ListChecks,
  agent: Bot,
  question: CircleQuestionMark,
  think: Lightbulb,
  answer: Flag,
  browser: AppWindow,
  generic: Braces,
};

/** Look of an entry on its rail; an unknown type is labelled as written. */
export function entryLookOf(entry: LogEntry): EntryLook {
  return { label: entryTitleOf(entry), ...lookOf(entry) };
}

function lookOf(entry: LogEntry): Look {
  const { message_type } = entry;
  if (message_type === "ACTION") {
    return {
      icon: toolIcons[entryView(entry).kind],
      color: entryOutcome(entry) === "failed" ? "text-status-failed" : quiet,
    };
  }
  if (interruptionOf(entry.observation) !== null) return { icon: CircleSlash, color: quiet };
  if (message_type === "PLAN_EVALUATION" && entryTitleOf(entry) === "Plan") return { icon: ListChecks, color: quiet };
  if (isInjected(entry)) return { icon: Bot, color: quiet };
  return isKnown(message_type) ? looks[message_type] : { icon: Bot, color: quiet };
}

/** Accessible name of an entry's card: its number as shown, its label, and its most important fact. */
export function entryNameOf(entry: LogEntry, shownSeq: number): string {
  const { label } = entryLookOf(entry);
  if (entry.message_type !== "ACTION") return `Step ${shownSeq}, ${label}`;
  const headline = headlineOf(entryView(entry)).slice(0, 120);
  const { exitCode } = entryResult(entry);
  const outcome = entryOutcome(entry);
  const ends = [outcome === "ok" ? null : outcomeLooks[outcome].word, exitCode === null ? null : `exit ${exitCode}`];
  return [`Step ${shownSeq}`, label, headline, ...ends].filter(Boolean).join(", ");
}

function isKnown(messageType: string): messageType is keyof typeof looks {
  return Object.hasOwn(looks, messageType);
}

import {
  BatteryLow,
  Circle,
  CircleCheck,
  CircleDotDashed,
  CircleSlash,
  CircleX,
  ListEnd,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestionMark,
  TimerOff,
  Unplug,
} from "lucide-react";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";

/** Display of a status: a word, its own icon, one of five colors, and its meaning. */
export type RunStatusLook = {
  label: string;
  meaning: string;
  icon: LucideIcon;
  /** CSS class of its color. */
  color: string;
};

const live = "text-status-running";
const ended = "text-status-ended";

/** Every status, in the order of a run's life: for filters and legends. */
export const runStatusLooks = {
  queued: { label: "Queued", meaning: "Waiting for a free slot", icon: Circle, color: live },
  running: { label: "Running", meaning: "The agent is working", icon: LoaderCircle, color: live },
  waiting: {
    label: "Waiting",
    meaning: "Waiting for someone to answer",
    icon: MessageCircleQuestionMark,
    color: "text-status-waiting",
  },
  evaluating: {
    label: "Evaluating",
    meaning: "Errand is pushing the run's work and waiting for its checks",
    icon: CircleDotDashed,
    color: live,
  },
  completed: {
    label: "Completed",
    meaning: "The agent finished",
    icon: CircleCheck,
    color: "text-status-completed",
  },
  failed: { label: "Failed", meaning: "It ended with an error", icon: CircleX, color: "text-status-failed" },
  cancelled: { label: "Cancelled", meaning: "A person stopped it", icon: CircleSlash, color: ended },
  timed_out: { label: "Timed out", meaning: "It reached its time limit", icon: TimerOff, color: ended },
  max_turns_reached: {
    label: "Turn limit",
    meaning: "The agent reached its limit of requests in one turn",
    icon: ListEnd,
    color: ended,
  },
  out_of_tokens: { label: "Out of tokens", meaning: "It used up its tokens", icon: BatteryLow, color: ended },
  interrupted: {
    label: "Interrupted",
    meaning: "Errand was restarted during the run; it can be continued",
    icon: Unplug,
    color: ended,
  },
} as const satisfies Record<RunStatus, RunStatusLook>;

/** Look of a status; an unknown one is shown as written. */
export function findRunStatusLook(status: string): RunStatusLook {
  if (isKnown(status)) return runStatusLooks[status];
  return { label: status.replaceAll("_", " "), meaning: "", icon: Circle, color: ended };
}

function isKnown(status: string): status is RunStatus {
  return Object.hasOwn(runStatusLooks, status);
}

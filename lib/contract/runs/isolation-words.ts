import type { MachineIsolation } from "./isolation.ts";

/** What is shown about a machine: whether the wall works, what follows from that, and how to fix it. */
export type MachineWords = {
  title: string;
  /** Sentences. */
  detail: string;
  /** Why the wall does not work, as the error message says; null if it works. */
  why: string | null;
  /** A terminal command that fixes it, or null. */
  command: string | null;
  /** What to do if no command fixes it, or null. */
  advice: string | null;
  /** What would make it stronger, or null. */
  hint: string | null;
};

/** Text about a machine, on the page and in `doctor`. */
export function machineWords({ setting, holds, why, command, advice, runs_as }: MachineIsolation): MachineWords {
  return {
    title: holds ? "The wall works on this machine" : "The wall does not work on this machine",
    detail: (holds ? wordsWhenItHolds : wordsWhenNot)[setting],
    why,
    command,
    advice,
    hint: holds && setting !== "leash" && runs_as === "root" ? rootHint : null,
  };
}

const wordsWhenItHolds: Record<MachineIsolation["setting"], string> = {
  auto: "Agents work behind it: they see their checkout, a home of their own and the system's programs.",
  wall: "Every agent works behind it (ERRAND_ISOLATION=wall) and sees its checkout, a home of its own and the system's programs.",
  leash:
    "It is not used, because ERRAND_ISOLATION=leash is set. Agents can read everything that the user Errand runs as can read.",
};

const wordsWhenNot: Record<MachineIsolation["setting"], string> = {
  auto: "Agents are not isolated: they can read and reach everything that the user Errand runs as can.",
  wall: "No agent starts until it works (ERRAND_ISOLATION=wall).",
  leash: "ERRAND_ISOLATION=leash is set. Agents can read everything that the user Errand runs as can read.",
};

const rootHint =
  "Errand runs as root, and so do agents behind the wall. Set ERRAND_AGENT_USER to give them a user of their own.";

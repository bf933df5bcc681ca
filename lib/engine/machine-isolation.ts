import type { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { isCommand } from "./isolation.ts";

/** Isolation on this machine, for people: the state of the wall, and the service's setting. */
export function describeMachine(
  service: { setting: MachineIsolation["setting"]; hasAgentUser: boolean; isRoot: boolean },
  state: WallState,
  at: Date,
): MachineIsolation {
  const { setting, hasAgentUser, isRoot } = service;
  const fix = state.holds ? null : state.fix;
  const isTyped = fix !== null && isCommand(fix);
  return {
    setting,
    holds: state.holds,
    why: state.holds ? null : state.why,
    command: isTyped ? fix : null,
    advice: isTyped ? null : fix,
    runs_as: hasAgentUser ? "own" : isRoot ? "root" : "service",
    checked_at: at.toISOString(),
  };
}

import type { Announced } from "#lib/contract/runs/agent.ts";
import { commandsOf } from "./announced.ts";
import type { ConnectionListener } from "./connection.ts";
import { reportedMode, reportedOptions } from "./session-choice.ts";
import { type ReportedStatus, reportedStatus } from "./sign-in-state.ts";

/**
 * Passes messages to the current turn. Between turns they are dropped, because a session's replay is already in the log; what the
 * agent announces about itself is always kept.
 */
export class SwitchedListener implements ConnectionListener {
  /** The last commands that the agent announced; null before. */
  commands: Announced["commands"] | null = null;
  /** The session settings that the agent last reported in a notification; null before. */
  options: unknown[] | null = null;
  /** Called when `commands` or `options` is reported. */
  onAnnounced: () => void = () => undefined;
  /** The last mode that the agent reported; null before. */
  mode: string | null = null;
  /** The last sign-in state that the agent reported. */
  signIn: ReportedStatus | null = null;
  #turn: TurnListener | null = null;
  #heardAt = 0;

  switchTo(turn: TurnListener | null): void {
    this.#turn = turn;
  }

  onMessage(): void {
    this.#heardAt = performance.now();
    this.#turn?.onMessage();
  }

  onErrorOutput(): void {
    this.#turn?.onErrorOutput();
  }

  onNotice(method: string, params: unknown): void {
    if (method === "_auth/status_update") this.signIn = reportedStatus(params) ?? this.signIn;
    if (method !== "session/update") return;
    this.mode = reportedMode(params) ?? this.mode;
    const commands = commandsOf(params);
    const options = reportedOptions(params);
    this.commands = commands ?? this.commands;
    this.options = options ?? this.options;
    if (commands !== null || options !== null) this.onAnnounced();
  }

  async onUpdate(...update: Parameters<ConnectionListener["onUpdate"]>): Promise<void> {
    await this.#turn?.onUpdate(...update);
  }

  async onPermissionAsked(...request: Parameters<ConnectionListener["onPermissionAsked"]>): Promise<void> {
    await this.#turn?.onPermissionAsked(...request);
  }

  async answerPermission(...request: Parameters<ConnectionListener["answerPermission"]>): Promise<string | null> {
    return (await this.#turn?.answerPermission(...request)) ?? null;
  }

  async onMessagesAsked(...answer: Parameters<ConnectionListener["onMessagesAsked"]>): Promise<void> {
    await this.#turn?.onMessagesAsked(...answer);
  }

  /** Waits until no message has come for a while: gemini answers session/load before it has replayed the session. */
  async quiet(): Promise<void> {
    this.#heardAt = performance.now();
    for (;;) {
      const waitMs = this.#heardAt + quietMs - performance.now();
      if (waitMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

const quietMs = 200;

/** A turn receives only what is recorded of it. */
type TurnListener = Omit<ConnectionListener, "onNotice">;

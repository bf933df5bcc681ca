import type { Announced } from "#lib/contract/agent.ts";
import { commandsOf } from "./announced.ts";
import type { ConnectionListener } from "./connection.ts";
import { toldMode } from "./session-choice.ts";
import { type ToldStatus, toldStatus } from "./sign-in-state.ts";

/**
 * Passes messages to the current turn; between turns they are dropped, because a session's replay is already in the log. What
 * the agent tells of itself is always kept.
 */
export class SwitchedListener implements ConnectionListener {
  /** The commands that the agent told last; null before. `onCommands` is called with each change. */
  commands: Announced["commands"] | null = null;
  onCommands: () => void = () => undefined;
  /** The mode that the agent told last; null before. */
  mode: string | null = null;
  /** What the agent told last of its sign-in. */
  signIn: ToldStatus | null = null;
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
    if (method === "_auth/status_update") this.signIn = toldStatus(params) ?? this.signIn;
    if (method !== "session/update") return;
    this.mode = toldMode(params) ?? this.mode;
    const commands = commandsOf(params);
    if (commands === null) return;
    this.commands = commands;
    this.onCommands();
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

  async onMessagesAsked(): ReturnType<ConnectionListener["onMessagesAsked"]> {
    return (await this.#turn?.onMessagesAsked()) ?? [];
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

/** A turn hears what is recorded of it. */
type TurnListener = Omit<ConnectionListener, "onNotice">;

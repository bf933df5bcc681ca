import type { ConnectionListener } from "./connection.ts";

/** Passes messages to the current turn; between turns they are dropped, because a session's replay is already in the log. */
export class SwitchedListener implements ConnectionListener {
  #turn: ConnectionListener | null = null;
  #heardAt = 0;

  switchTo(turn: ConnectionListener | null): void {
    this.#turn = turn;
  }

  onMessage(): void {
    this.#heardAt = performance.now();
    this.#turn?.onMessage();
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

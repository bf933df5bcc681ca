/** Where a serving child can be reached, and the port it listens on. */
export type Listening = { url: string; port: number };

/** The first person of the first organization. */
export type Owner = { organizationId: number; userId: number };

/** Messages from web and engine to the supervisor; web answers a request about signing in with the lines to print. */
export type ChildMessage =
  | { kind: "ready"; listening: Listening | null }
  | { kind: "fatal"; message: string }
  | { kind: "sign_in"; lines: string };

/** Messages from the supervisor to web: everything is ready and somebody wants to sign in; the engine has died. */
export type SupervisorMessage = { kind: "sign_in"; owner: Owner } | { kind: "engine_ended" };

/** A little longer than the supervisor gives a child: nobody else ends a process whose supervisor is gone. */
const endMs = 10_000;

/**
 * For web and engine: calls `stop` once, then ends the process, when the process is asked to end or its supervisor is gone; whoever stopped the
 * supervisor wants this process stopped too. Call it before anything else: the supervisor may die while this process starts.
 */
export function whenToStop(stop: () => Promise<void>): void {
  let stopping = false;
  const once = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), endMs);
    void stop().finally(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, once);
  process.on("disconnect", once);
  // The supervisor died before this process could listen.
  if (process.send !== undefined && !process.connected) once();
}

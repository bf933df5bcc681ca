import type { Server } from "node:http";

/** The address cannot be listened on; the message is one line that says what to do. */
export class ListenError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ListenError";
  }
}

/** Listens; returns the port, in case 0 asked for any free one. Throws {@link ListenError}. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new ListenError("The server has no address.");
  return address.port;
}

function explain(error: Error, host: string, port: number): ListenError {
  const code = "code" in error ? error.code : undefined;
  const words: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop what uses it, or choose another with PORT.`,
    EACCES: `Port ${port} on ${host} is not allowed for this user. Choose another with PORT.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with HOST.`,
    ENOTFOUND: `${host} is not an address of this machine. Choose another with HOST.`,
  };
  return new ListenError(words[String(code)] ?? `Cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}

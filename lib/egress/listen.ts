import { chmod, mkdir, open, readdir, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { join } from "node:path";

/** The longest path of a unix socket that Linux takes, in bytes. */
const pathBytesMax = 107;

/** A server that listens. `close` ends it and takes its socket away; connections are the caller's. */
export type Listening = { close(): Promise<void> };

/**
 * Lets a server listen on the unix socket `name` in a folder that its own user alone may enter; whoever is given the socket itself may
 * connect. One that was left there is replaced. Works however long the folder's path is.
 */
export async function listenOnSocket(server: Server, folder: string, name: string): Promise<Listening> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const path = join(folder, name);
  await rm(path, { force: true });
  const isLong = Buffer.byteLength(path) > pathBytesMax;
  // Linux alone has such names of open folders; agents are walled in there alone.
  const opened = isLong ? await open(folder) : null;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(opened === null ? path : `/proc/self/fd/${opened.fd}/${name}`, () => {
        server.off("error", reject);
        resolve();
      });
    });
    // The wall may run its processes as another user; the folder keeps everybody else out.
    await chmod(path, 0o666);
  } catch (error) {
    await opened?.close();
    throw error;
  }
  return {
    close: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await opened?.close();
      await rm(path, { force: true });
    },
  };
}

/** Removes sockets of a folder at which nobody listens any more: those of a service that was killed. */
export async function sweepSockets(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const opened = names.length > 0 ? await open(folder) : null;
  try {
    for (const name of names.filter((one) => one.endsWith(".sock"))) {
      const isLong = Buffer.byteLength(join(folder, name)) > pathBytesMax;
      if (!(await answers(isLong ? `/proc/self/fd/${opened?.fd}/${name}` : join(folder, name)))) {
        await rm(join(folder, name), { force: true });
      }
    }
  } finally {
    await opened?.close();
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

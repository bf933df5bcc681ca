import { chmod, mkdir, open, readdir, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";
import { join } from "node:path";

/** Maximum length of a unix socket's path on Linux, in bytes. */
const pathBytesMax = 107;

/** A listening server. `close` ends it and removes its socket; the caller ends its connections. */
export type Listening = { close(): Promise<void> };

/**
 * Makes a server listen on the unix socket `name` in a folder that only its own user may enter; processes that get the socket
 * itself may connect. Replaces an old socket. The folder's path may be of any length.
 */
export async function listenOnSocket(server: Server, folder: string, name: string): Promise<Listening> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const path = join(folder, name);
  await rm(path, { force: true });
  const isLong = Buffer.byteLength(path) > pathBytesMax;
  // Only Linux has such paths of open folders, and only Linux has the wall.
  const opened = isLong ? await open(folder) : null;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(opened === null ? path : `/proc/self/fd/${opened.fd}/${name}`, () => {
        server.off("error", reject);
        resolve();
      });
    });
    // Processes in the wall may run as another user; the folder keeps all others out.
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

/** Removes sockets of a folder without a listener, which a killed service has left. */
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

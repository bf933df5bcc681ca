import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

/** The API on a port, behind a connection that a test can cut. */
export type ServedApi = {
  api: ApiUnderTest;
  url: string;
  /** Breaks every connection in the middle; new ones are accepted. Returns how many there were. */
  cut(): number;
  close(): Promise<void>;
};

/** Serves the API over a real store, by HTTP, without pages. */
export async function serveApi(rates?: RateSettings): Promise<ServedApi> {
  const api = await ApiUnderTest.open(rates === undefined ? {} : { rates });
  const front = await api.serve();
  const open = new Set<Socket>();
  const line = createServer((client) => {
    const server = connect(front.port, "127.0.0.1");
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.pipe(other);
      one.on("error", () => {}).on("close", () => other.destroy());
    }
    open.add(client);
    client.on("close", () => open.delete(client));
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  const cut = () => {
    const count = open.size;
    for (const socket of open) socket.destroy();
    return count;
  };
  return {
    api,
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut,
    async close() {
      line.close();
      cut();
      await front.close();
      await api.close();
    },
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createSocketServer, type NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridgeFile } from "../lib/egress/bridge.ts";
import { newSentinel } from "../lib/egress/keys.ts";
import { openProxy } from "../lib/egress/proxy.ts";
import { median, print, quantile } from "./report.ts";

const rounds = 2000;
const blocks = 5;
const host = "allowed.test";

/** Extra cost of a request through a run's proxy, and through the bridge inside the wall: connection, request and answer. */
export async function benchEgress(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "errand-bench-"));
  const server = createServer((request, response) => void response.end(`got ${request.url}`));
  const port = await portOf(server);
  const target = { host, port };
  const sentinel = newSentinel();
  const key = { target, secure: false, variable: "KEY", header: "x-api-key", sentinel, value: "sk-0123456789" };
  const proxy = await openProxy({
    folder,
    name: "bench.sock",
    rules: { mode: "allowed", rules: [], permitted: new Set([`${host}:${port}`]) },
    keys: [key],
    howToAllow: "",
    onDenial: ({ rule }) => {
      throw new Error(`refused: ${rule}`);
    },
    find: (_, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  const socket = { path: join(folder, "bench.sock") };
  const inside = { host: "127.0.0.1", port: await freePort() };
  const bridge = spawn(process.execPath, [bridgeFile, socket.path, String(inside.port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(bridge.stdout.resume(), "close");
    const ways = {
      direct: () => ask({ host: "127.0.0.1", port }, get("/")),
      "tunnel of the proxy": () => tunnel(socket, `${host}:${port}`),
      "plain request to the proxy": () => ask(socket, get(`http://${host}:${port}/`, `${host}:${port}`)),
      "request with a key": () => ask(socket, get("/k/KEY/", "127.0.0.1:3128", `X-Api-Key: ${sentinel}\r\n`)),
      "tunnel, with the bridge": () => tunnel(inside, `${host}:${port}`),
    };
    const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
    // One after the other in changing order, so that other load on the machine affects all alike.
    const order = Object.entries(ways);
    for (let round = -100; round < rounds; round++) {
      order.push(...order.splice(0, 1));
      for (const [name, way] of order) {
        const from = performance.now();
        await way();
        if (round >= 0) times.get(name)?.push(performance.now() - from);
      }
    }
    report(times);
  } finally {
    bridge.kill();
    await proxy.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A quantile, as the median of the quantiles of `blocks` parts of the time: a bad moment of the machine affects only one of them.
 */
function steady(values: number[], share: number): number {
  const size = rounds / blocks;
  return median(Array.from({ length: blocks }, (_, at) => quantile(values.slice(at * size, (at + 1) * size), share)));
}

function report(times: Map<string, number[]>): void {
  const direct = times.get("direct") ?? [];
  const rows = [...times].map(([name, values]) => {
    const cells = [0.5, 0.99].flatMap((share) => {
      const value = steady(values, share);
      const more = value - steady(direct, share);
      return [`${value.toFixed(2)} ms`, name === "direct" ? "" : `+${more.toFixed(2)} ms`];
    });
    return [name, ...cells];
  });
  print(
    `Egress: one connection with one request (${blocks} x ${rounds / blocks} of each, in turns; bound: p99 +3 ms)`,
    [["", "p50", "", "p99", ""], ...rows],
  );
}

function get(address: string, of = "127.0.0.1", more = ""): string {
  return `GET ${address} HTTP/1.1\r\nHost: ${of}\r\n${more}Connection: close\r\n\r\n`;
}

function ask(to: NetConnectOpts, text: string): Promise<void> {
  return converse(to, [text], (said) => said.includes("got /"));
}

function tunnel(to: NetConnectOpts, target: string): Promise<void> {
  return converse(to, [`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`, get("/")], (said) =>
    said.includes("got /"),
  );
}

/** Sends one text after the other, each after an answer to the previous one, until `isDone`. */
function converse(to: NetConnectOpts, texts: string[], isDone: (said: string) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const left = [...texts];
    const wire = connect(to);
    let said = "";
    const say = () => void wire.write(left.shift() ?? "");
    wire.on("connect", say);
    wire.on("error", reject);
    wire.on("close", () => (isDone(said) ? resolve() : reject(new Error(`It said: ${said}`))));
    wire.on("data", (chunk) => {
      said += chunk.toString();
      if (left.length > 0) say();
    });
  });
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

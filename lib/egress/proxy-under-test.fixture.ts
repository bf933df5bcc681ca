import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { FindAddresses } from "#lib/outbound/outbound.ts";
import type { Denial } from "./denial.ts";
import { openProxy, type ProxySettings } from "./proxy.ts";
import { readPermittedPairs } from "./resolve.ts";

/** A resolver that knows only these names and records look-ups. */
export function namesOf(names: Record<string, () => string[]>): FindAddresses & { asked: string[] } {
  const asked: string[] = [];
  const find: FindAddresses = (name, found) => {
    asked.push(name);
    const list = names[name]?.().map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => (list === undefined ? found(new Error("ENOTFOUND"), []) : found(null, list)));
  };
  return Object.assign(find, { asked });
}

/** Starts a server on its own address of this machine, until the test ends. Returns its port. */
export async function serving(
  t: Pick<TestContext, "after">,
  address: string,
  answer: RequestListener,
  port = 0,
): Promise<number> {
  return listening(t, createServer(answer), address, port);
}

export async function listening(
  t: Pick<TestContext, "after">,
  server: Server,
  address: string,
  port = 0,
): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A run's proxy, with the pairs that an owner permits. Returns its socket and its denials. */
export async function proxyUnderTest(
  t: Pick<TestContext, "after">,
  given: Partial<Omit<ProxySettings, "rules">> & { rules?: Partial<ProxySettings["rules"]>; permitted?: string },
) {
  const read = readPermittedPairs(given.permitted ?? "");
  if ("unreadable" in read) throw new Error(`"${read.unreadable}" cannot be read`);
  const base = mkdtempSync(join(tmpdir(), "errand-egress-"));
  const folder = given.folder ?? join(base, "run");
  const name = given.name ?? `${randomUUID().slice(0, 8)}.sock`;
  const denials: Denial[] = [];
  const proxy = await openProxy({
    keys: [],
    howToAllow: "Ask an admin.",
    onDenial: (denial) => denials.push(denial),
    find: namesOf({}),
    ...given,
    folder,
    name,
    rules: { mode: "allowed", rules: [], permitted: read.pairs, ...given.rules },
  });
  t.after(async () => {
    await proxy.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { socket: join(folder, name), denials, close: () => proxy.close() };
}

/** Sends bytes to a proxy. Returns its complete first answer, head and body. */
export function ask(socket: string, text: string): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const wire = connect({ path: socket });
    let said = "";
    const done = () => {
      wire.destroy();
      const [head = "", ...body] = said.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1] ?? 0), head, body: body.join("\r\n\r\n") });
    };
    wire.on("error", reject);
    wire.on("close", done);
    wire.on("data", (chunk) => {
      said += chunk.toString("latin1");
      const at = said.indexOf("\r\n\r\n");
      const bytes = /^content-length: (\d+)/im.exec(said.slice(0, at))?.[1];
      const isTunnel = said.startsWith("HTTP/1.1 200 Connection established");
      if (at !== -1 && (isTunnel || (bytes !== undefined && said.length >= at + 4 + Number(bytes)))) done();
    });
    wire.write(text, "latin1");
  });
}

/** A request in absolute form. */
export function getText(address: string, headers: Record<string, string> = { Host: hostIn(address) }): string {
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${address} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

export function connectText(target: string): string {
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
}

function hostIn(address: string): string {
  return /^\w+:\/\/([^/?#]*)/.exec(address)?.[1] ?? "none";
}

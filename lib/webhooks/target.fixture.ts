import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A request received by a target: the event, the id of its run, and the request itself. */
export type ReceivedEvent = {
  id: string;
  type: string;
  runId: number;
  late: boolean;
  headers: IncomingHttpHeaders;
  body: string;
};

/** How a target responds: a status, or in its own way. */
export type TargetAnswer = number | ((response: ServerResponse) => void);

/** A server that webhooks are sent to. `answer` may be changed at any time; received requests are in order of arrival. */
export class Target {
  readonly received: ReceivedEvent[] = [];
  readonly url: string;
  answer: (event: ReceivedEvent) => TargetAnswer = () => 200;

  private constructor(url: string) {
    this.url = url;
  }

  static async open(t: TestContext): Promise<Target> {
    const server = createServer((request, response) => {
      const chunks: Uint8Array[] = [];
      request.on("data", (chunk) => void chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        const { type, data } = JSON.parse(body);
        const { headers } = request;
        const id = String(headers["webhook-id"]);
        const event = { id, type, runId: data.id, late: headers["webhook-late"] === "true", headers, body };
        target.received.push(event);
        const answer = target.answer(event);
        if (typeof answer === "number") response.writeHead(answer).end(`answer ${answer}`);
        else answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const target = new Target(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    return target;
  }
}

type Verifier = { verify(body: string, headers: Record<string, string>): unknown };
type Library = { Webhook: new (secret: string, options?: { format: "raw" }) => Verifier };

/** Verifies with the public library of Standard Webhooks, as a receiver would. Throws if a signature is wrong. */
export async function verifyWithLibrary(secret: string, { body, headers }: ReceivedEvent): Promise<unknown> {
  const name = "standardwebhooks";
  const { Webhook }: Library = await import(name);
  const own = secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
  const sent = Object.entries(headers).map(([header, value]) => [header, String(value)]);
  return own.verify(body, Object.fromEntries(sent));
}

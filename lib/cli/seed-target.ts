import http from "node:http";
import https from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { Problem } from "#lib/contract/error.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";

const answerMs = 120_000;
const triesMax = 6;

/** A service and credentials for it. */
export type Place = { url: string; token: string };

/** An external run being written. */
export type SeedTarget = {
  runId: number;
  /** Appends the entries of a body; simultaneous calls are appended in call order. */
  append(body: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(result: string): Promise<void>;
};

const Organizations = z.object({ items: z.array(z.object({ id: z.int() })).min(1) });
const Created = z.object({ id: z.int() });

/** Creates the run in the token's organization. Every request may be repeated: it has a key. Throws the service's message. */
export async function openSeedTarget(place: Place, prompt: string): Promise<SeedTarget> {
  const organizations = Organizations.parse(await ask(place, "GET", "/v1/organizations"));
  const run = `/v1/organizations/${organizations.items[0]?.id}/agent/run`;
  const { id } = Created.parse(await ask(place, "POST", run, JSON.stringify({ prompt, agent: externalAgent })));
  return {
    runId: id,
    append: async (body) => void (await ask(place, "POST", `${run}/${id}/logs`, body)),
    finish: async (result) => {
      await ask(place, "PATCH", `${run}/${id}`, JSON.stringify({ status: "completed", result }));
    },
  };
}

type Answered = { status: number; retryAfter: string | null; text: string };

/** Retries until there is a response other than "later". */
async function ask(place: Place, method: string, path: string, body?: string | Uint8Array): Promise<unknown> {
  const headers: Record<string, string> = { authorization: `Bearer ${place.token}` };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(body));
    headers["idempotency-key"] = crypto.randomUUID();
  }
  for (let tries = 1; ; tries += 1) {
    let seconds = 1;
    try {
      const { status, retryAfter, text } = await send(new URL(path, place.url), { method, headers }, body);
      if (status >= 200 && status < 300) return JSON.parse(text);
      if (retryAfter === null || tries === triesMax) throw new RefusedError(wordsOf(status, text));
      seconds = Number(retryAfter) || 1;
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      if (tries === triesMax || body === undefined) {
        throw new RefusedError(
          `${place.url} does not answer (${error instanceof Error ? error.message : String(error)})`,
        );
      }
    }
    await wait(seconds * 1000);
  }
}

/** One request and its whole response. Does not use fetch, which copies a body more than once before sending it. */
function send(
  url: URL,
  options: { method: string; headers: Record<string, string> },
  body: string | Uint8Array | undefined,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request : http.request;
    const asking = request(url, { ...options, signal: AbortSignal.timeout(answerMs) }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("error", reject);
      answer.on("end", () => {
        const retryAfter = answer.headers["retry-after"] ?? null;
        resolve({ status: answer.statusCode ?? 0, retryAfter, text: Buffer.concat(pieces).toString() });
      });
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

/** The service refuses the input; the message is for people. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RefusedError";
  }
}

function wordsOf(status: number, text: string): string {
  try {
    const problem = Problem.parse(JSON.parse(text));
    return `Errand responded with ${problem.status}: ${problem.detail}`;
  } catch {
    return `Errand responded with ${status}`;
  }
}

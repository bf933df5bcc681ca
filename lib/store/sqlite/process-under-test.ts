/**
 * A second process on a store, for tests: prints `ready`, waits for a line, then does what its arguments say and prints each
 * acknowledged result. Arguments: the store's file, a task, and its parameters.
 */
import { once } from "node:events";
import { messages } from "#lib/store/conformance.fixture.ts";
import type { Store } from "#lib/store/store.ts";
import { openStore } from "./open-store.ts";

const works: Record<string, (store: Store, parameters: number[]) => Promise<void>> = {
  /** Makes or finds the first organization. */
  async start(store) {
    say(await store.organizations.ensureFirst({ organization: "Errand", fullName: "Ada", email: null }));
  },

  /** Appends batches to a run under its lease: run, epoch, entries in a batch, batches (0: forever). */
  async append(store, [runId = 0, epoch = 0, size = 1, batches = 0]) {
    for (let count = 0; batches === 0 || count < batches; count += 1) {
      say(await store.queue.append({ runId, epoch }, messages(size)));
    }
  },

  /** Claims until nothing is queued any more. */
  async claim(store) {
    for (;;) {
      const claimed = await store.queue.claim(`engine ${process.pid}`, 60_000);
      if (claimed === null) return;
      say(claimed.run.id);
    }
  },
};

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const [file = "", name = "", ...parameters] = process.argv.slice(2);
const work = works[name];
if (work === undefined) throw new Error(`No work is called "${name}"`);
process.stdout.write("ready\n");
await once(process.stdin, "data");
const store = await openStore({ file });
await work(store, parameters.map(Number));
await store.close();
process.stdin.destroy();

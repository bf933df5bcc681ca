import { join } from "node:path";
import { webFlags } from "#lib/cli/start.ts";
import { forkServer } from "./forked-server.ts";
import { type Load, loadHttp } from "./http-load.ts";
import { median, print } from "./report.ts";
import { deepEntries, seedStore } from "./seed-store.ts";

const rounds = 3;
/** More pages than the service caches, so that each is read from the store. */
const pagesApart = 1000;

/** GET logs compared with the bare server and with Next, and at depth: all in one run, the servers taking turns. */
export async function benchLogs(): Promise<void> {
  const seeded = await seedStore();
  const env = {
    ERRAND_DATA_DIR: seeded.dataDir,
    PORT: "0",
    ERRAND_LOG_LEVEL: "warn",
    NODE_ENV: "production",
    // Requests count against limits high enough for the load.
    ERRAND_RATE_STANDARD: "1000000",
    ERRAND_RATE_LOGS: "1000000",
  };
  const servers = {
    bare: await forkServer(join(import.meta.dirname, "servers/bare.ts"), { args: [seeded.dataDir] }),
    errand: await forkServer(join(import.meta.dirname, "../lib/web/main.ts"), { env, flags: webFlags }),
    next: await forkServer(join(import.meta.dirname, "servers/next.ts"), { env }),
  };
  const ask = async (name: keyof typeof servers, runId: number, skip: number, pages: number): Promise<Cost> => {
    const server = servers[name];
    const before = await server.cpuMs();
    const load = await loadHttp(
      Array.from({ length: pages }, (_, page) => {
        const query = `skip=${skip + page * 100}&limit=100`;
        return `${server.url}/v1/organizations/1/agent/run/${runId}/logs?${query}`;
      }),
      seeded,
    );
    return { ...load, cpuMs: ((await server.cpuMs()) - before) / load.requests };
  };
  try {
    for (const [what, runId, pages] of [
      ["2 KB entries, another page each time", seeded.largeRun, pagesApart],
      ["250 B entries, another page each time", seeded.smallRun, pagesApart],
      ["2 KB entries, the same page", seeded.largeRun, 1],
      ["250 B entries, the same page", seeded.smallRun, 1],
    ] as const) {
      const loads = await inTurns({
        bare: () => ask("bare", runId, 0, pages),
        errand: () => ask("errand", runId, 0, pages),
        next: () => ask("next", runId, 0, pages),
      });
      const bare = rate(loads.bare);
      print(`GET logs limit=100, ${what}`, [
        line("bare node:http", loads.bare, bare),
        line("errand", loads.errand, bare),
        line("Next route", loads.next, bare),
      ]);
    }
    const depth = await inTurns({
      start: () => ask("errand", seeded.largeRun, 0, pagesApart),
      deep: () => ask("errand", seeded.largeRun, deepEntries * 0.9, deepEntries / 1000),
    });
    print(`GET logs limit=100 of a run with ${deepEntries} entries, another page each time`, [
      line("skip=0 …", depth.start, rate(depth.start)),
      line(`skip=${deepEntries * 0.9} …`, depth.deep, rate(depth.start)),
      ["cost at depth / cost at start", (rate(depth.start) / rate(depth.deep)).toFixed(2)],
    ]);
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await seeded.remove();
  }
}

/** A load, and the processor time per request, which other load on the machine disturbs less. */
type Cost = Load & { cpuMs: number };

/** Every contestant once per round, so that other load on the machine affects all alike; a first round warms up. */
async function inTurns<Name extends string>(
  contestants: Record<Name, () => Promise<Cost>>,
): Promise<Record<Name, Cost[]>> {
  // Object.entries loses the parameter's key type.
  const named = Object.entries(contestants) as [Name, () => Promise<Cost>][];
  const loads = Object.fromEntries(named.map(([name]) => [name, [] as Cost[]])) as Record<Name, Cost[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, load] of named) {
      const result = await load();
      if (round > 0) loads[name].push(result);
    }
  }
  return loads;
}

const rate = (loads: Cost[]) => median(loads.map((load) => load.requestsPerSecond));

function line(name: string, loads: Cost[], base: number): string[] {
  const kilobytes = (median(loads.map((load) => load.bytesPerAnswer)) / 1000).toFixed(0);
  const p99 = median(loads.map((load) => load.p99Ms)).toFixed(1);
  return [
    name,
    `${rate(loads).toFixed(0)} req/s`,
    `${((rate(loads) / base) * 100).toFixed(0)}%`,
    `${(median(loads.map((load) => load.cpuMs)) * 1000).toFixed(0)} µs CPU a request`,
    `${kilobytes} KB`,
    `p99 ${p99} ms`,
  ];
}

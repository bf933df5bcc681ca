import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Product } from "../e2e/product.ts";
import { median, print } from "./report.ts";

const rounds = 5;
/** The service idles for this long before it is measured, in ms. */
const idleMs = 60_000;

/** Memory of a process, in MB. `resident` counts shared memory (Node's own code) in full, `proportional` in shares. */
export type Memory = { name: string; resident: number; proportional: number };

/** Time from the command to the printed link on a built product, and memory when idle, before and after a page was opened. */
export async function benchFootprint(): Promise<void> {
  const startMs: number[] = [];
  const stopMs: number[] = [];
  const start = async () => {
    const startedAt = performance.now();
    const product = await Product.start();
    startMs.push(performance.now() - startedAt);
    return product;
  };
  for (let round = 1; round < rounds; round += 1) stopMs.push(await (await start()).stop());
  const product = await start();
  let unopened: Memory[];
  let opened: Memory[];
  try {
    await wait(idleMs);
    unopened = await memoryOf(product);
    await openPage(product);
    await wait(idleMs);
    opened = await memoryOf(product);
  } finally {
    stopMs.push(await product.stop());
  }
  print(`Start and stop (median of ${rounds})`, [
    ["ready after", `${(median(startMs) / 1000).toFixed(2)} s`],
    ["stopped after", `${(median(stopMs) / 1000).toFixed(2)} s`],
  ]);
  const rowsOf = (when: string, processes: Memory[]) => {
    const both = processes.filter(({ name }) => name !== "supervisor");
    const sum = (what: "resident" | "proportional") => both.reduce((all, one) => all + one[what], 0);
    const row = (name: string, resident: number, proportional: number) => [
      name,
      `${resident.toFixed(0)} MB resident`,
      `${proportional.toFixed(0)} MB with what is shared in parts`,
    ];
    return [
      row(`web + engine, ${when}`, sum("resident"), sum("proportional")),
      ...processes.map(({ name, resident, proportional }) => row(`  ${name}`, resident, proportional)),
    ];
  };
  print(`Memory after ${idleMs / 1000} s without work`, [
    ...rowsOf("since the start", unopened),
    ...rowsOf("since a page was opened", opened),
  ]);
}

/** Signs in by the printed link and loads the list of runs, as a browser does. Returns its cookies. */
export async function openPage({ url, signInLink }: Product): Promise<string> {
  const code = new URL(signInLink).searchParams.get("code");
  const signedIn = await fetch(`${url}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ code }),
  });
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]);
  const cookies = cookie.join("; ");
  const page = await fetch(`${url}/runs`, { headers: { cookie: cookies } });
  if (!page.ok || page.redirected) throw new Error(`The page was not shown: ${page.status} ${page.url}`);
  await page.text();
  return cookies;
}

/** Of all processes of the service. Linux only. */
export async function memoryOf(product: Product): Promise<Memory[]> {
  const processes = await product.processes();
  return Promise.all(
    processes.map(async ({ name, pid }) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
      const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1000;
      return { name, resident: megabytes("Rss"), proportional: megabytes("Pss") };
    }),
  );
}

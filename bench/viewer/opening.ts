import { gzipSync } from "node:zlib";
import type { CDPSession, Response } from "@playwright/test";
import { median } from "../report.ts";
import { Profile, type Tab } from "./chromium.ts";
import { atRest } from "./jumps.ts";
import type { Bench } from "./measure.ts";

/** Medians, in milliseconds and bytes. */
export type Opening = {
  warmMs: number;
  coldMs: number;
  /** When the list answered keys. */
  warmReadyMs: number;
  coldReadyMs: number;
  /** What was on the wire until the first card was painted, heads and bodies, warm and cold. */
  warmBytes: number;
  coldBytes: number;
  /** Scripts that the page itself names, as gzip would send them, and those that it fetched by need. */
  scriptBytes: number;
  lateScriptBytes: number;
};

type Opened = { firstCardMs: number; readyMs: number; bytes: number };

/**
 * Opening a run's page at its address, from the start of the navigation to the first painted card. Cold: a browser that has just
 * been started on an empty profile, each time another one. Warm: a new tab of a browser that has opened the page before, so that
 * files come from its cache and code from its code cache; the page itself and its entries are asked for each time.
 */
export async function measureOpening(bench: Bench): Promise<Opening> {
  const cold: Opened[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const profile = await Profile.open(bench.cookies);
    try {
      cold.push(await open(await profile.tab(bench.slowdown), bench.trace.url));
    } finally {
      await profile.close();
    }
  }
  const warm: Opened[] = [];
  const profile = await Profile.open(bench.cookies);
  try {
    const scripts = await weighScripts(await profile.tab(1), bench.trace.url);
    // The browser keeps compiled code of scripts that it has met twice.
    for (let round = -2; round < bench.rounds; round += 1) {
      const tab = await profile.tab(bench.slowdown);
      const opened = await open(tab, bench.trace.url);
      if (round >= 0) warm.push(opened);
      await tab.page.close();
    }
    const of = (list: Opened[], key: keyof Opened) => median(list.map((opened) => opened[key]));
    return {
      warmMs: of(warm, "firstCardMs"),
      coldMs: of(cold, "firstCardMs"),
      warmReadyMs: of(warm, "readyMs"),
      coldReadyMs: of(cold, "readyMs"),
      warmBytes: of(warm, "bytes"),
      coldBytes: of(cold, "bytes"),
      ...scripts,
    };
  } finally {
    await profile.close();
  }
}

async function open({ page, cdp }: Tab, url: string): Promise<Opened> {
  const bytesUntil = await watchWire(cdp);
  await page.goto(url, { waitUntil: "commit" });
  const { firstCardMs, readyMs, startedAtMs } = await page.evaluate(async () => ({
    firstCardMs: await probe.firstCard,
    readyMs: await probe.hydrated,
    startedAtMs: performance.timeOrigin,
  }));
  // What the page still does belongs to this round, not to the next one.
  await page.waitForLoadState("networkidle");
  const bytes = bytesUntil(startedAtMs + firstCardMs);
  return { firstCardMs, readyMs, bytes };
}

/**
 * Counts what comes over the wire; gives the bytes of all answers that had begun to come at a time of the clock (ms since 1970).
 * An answer that was still coming counts whole: when which of its parts came is not told exactly.
 */
async function watchWire(cdp: CDPSession): Promise<(atMs: number) => number> {
  const answers = new Map<string, { beganMs: number; bytes: number }>();
  let clockSeconds = 0;
  cdp.on("Network.requestWillBeSent", ({ timestamp, wallTime }) => {
    if (clockSeconds === 0) clockSeconds = wallTime - timestamp;
  });
  cdp.on("Network.responseReceived", ({ requestId, timestamp, response }) => {
    if (response.fromDiskCache) return;
    answers.set(requestId, { beganMs: (timestamp + clockSeconds) * 1000, bytes: response.encodedDataLength });
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const answer = answers.get(requestId);
    if (answer !== undefined) answer.bytes = Math.max(answer.bytes, encodedDataLength);
  });
  await cdp.send("Network.enable");
  return (atMs) => [...answers.values()].reduce((sum, { beganMs, bytes }) => (beganMs <= atMs ? sum + bytes : sum), 0);
}

/** The scripts of one visit: those of the page as it came, and those that were asked for once it ran. */
async function weighScripts({ page }: Tab, url: string): Promise<Pick<Opening, "scriptBytes" | "lateScriptBytes">> {
  const weights = new Map<string, Promise<number>>();
  let html = Promise.resolve("");
  const weigh = (response: Response) => {
    const type = response.request().resourceType();
    if (type === "document") html = response.text();
    if (type === "script")
      weights.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      );
  };
  page.on("response", weigh);
  await page.goto(url);
  // What the page leaves for later is asked for when it is at rest.
  await atRest(page);
  page.off("response", weigh);
  const named = await html;
  let [scriptBytes, lateScriptBytes] = [0, 0];
  for (const [address, weight] of weights) {
    const isNamed = named.includes(`src="${new URL(address).pathname}`);
    if (isNamed) scriptBytes += await weight;
    else lateScriptBytes += await weight;
  }
  await page.close();
  return { scriptBytes, lateScriptBytes };
}

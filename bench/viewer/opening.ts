import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
  /** Time until the list responded to keys. */
  warmReadyMs: number;
  coldReadyMs: number;
  /** Bytes received until the first card was painted, heads and bodies, warm and cold. */
  warmBytes: number;
  coldBytes: number;
  /** Size of the scripts named by the page, gzipped, and of those loaded on demand. */
  scriptBytes: number;
  lateScriptBytes: number;
};

type Opened = { firstCardMs: number; readyMs: number; bytes: number };

/**
 * Opens a run's page from a page of another site, as a link in a chat does; measures from the start of the navigation to the first
 * painted card. So the browser always starts a new process for the page, whatever the page's headers say about that. Cold: each
 * time a browser just started on an empty profile. Warm: a new tab of a browser that has opened the page before, with files and
 * compiled code in its caches; the page itself and its entries are requested each time.
 */
export async function measureOpening(bench: Bench): Promise<Opening> {
  const elsewhere = createServer((_request, response) => response.end("A page of another site."));
  await once(elsewhere.listen(0, "127.0.0.1"), "listening");
  try {
    // For the browser, localhost is another site than 127.0.0.1.
    return await measureFrom(`http://localhost:${(elsewhere.address() as AddressInfo).port}`, bench);
  } finally {
    elsewhere.close();
  }
}

async function measureFrom(elsewhere: string, bench: Bench): Promise<Opening> {
  const cold: Opened[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const profile = await Profile.open(bench.cookies);
    try {
      cold.push(await open(await profile.tab(bench.slowdown), elsewhere, bench.trace.url));
    } finally {
      await profile.close();
    }
  }
  const warm: Opened[] = [];
  const profile = await Profile.open(bench.cookies);
  try {
    const scripts = await weighScripts(await profile.tab(1), bench.trace.url);
    // The browser caches compiled code of scripts loaded twice.
    for (let round = -2; round < bench.rounds; round += 1) {
      const tab = await profile.tab(bench.slowdown);
      const opened = await open(tab, elsewhere, bench.trace.url);
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

async function open({ page, cdp }: Tab, elsewhere: string, url: string): Promise<Opened> {
  await page.goto(elsewhere);
  const bytesUntil = await watchWire(cdp);
  await page.goto(url, { waitUntil: "commit" });
  const { firstCardMs, readyMs, startedAtMs } = await page.evaluate(async () => ({
    firstCardMs: await probe.firstCard,
    readyMs: await probe.hydrated,
    startedAtMs: performance.timeOrigin,
  }));
  // Work still going on belongs to this round, not to the next one.
  await page.waitForLoadState("networkidle");
  const bytes = bytesUntil(startedAtMs + firstCardMs);
  return { firstCardMs, readyMs, bytes };
}

/**
 * Counts received bytes. The result gives the bytes of all answers that had begun by a time (ms since 1970). An answer still
 * coming counts in full, because the protocol does not say exactly when its parts came.
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

/** The scripts of one visit: those in the page's HTML, and those requested later. */
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
  // Deferred scripts are requested when the page is idle.
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

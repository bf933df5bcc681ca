import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { entriesOfPayload, entriesWith, type ReportedEntry } from "./hostile-entries.ts";
import { shortPayloads } from "./hostile-payloads.ts";
import { guard } from "./page-guard.ts";
import { expect, test } from "./test.ts";

test.setTimeout(600_000);
// Many cards at once: fewer steps through the list.
test.use({ viewport: { width: 1280, height: 5_000 } });

const payloads = shortPayloads();

test("400 hostile texts in every field are words and nothing else, each as it is stored", async ({
  product,
  signedIn: page,
}) => {
  expect(payloads.length).toBeGreaterThanOrEqual(300);
  const api = await ApiClient.create(product);
  const prompt = payloads
    .map(({ text }) => text)
    .join("\n")
    .replaceAll("\0", "")
    .toWellFormed();
  const runId = await reportedRun(api, payloads.flatMap(entriesWith), prompt);
  const findings = await guard(page, product.url);
  await page.goto(`${product.url}/runs/${runId}?entry=1`);

  const total = payloads.length * entriesOfPayload;
  const seen = new Set<number>();
  await throughList(page, async () => {
    for (const seq of await seqsOnPage(page)) seen.add(seq);
  });
  expect(Array.from({ length: total }, (_, index) => index + 1).filter((seq) => !seen.has(seq))).toEqual([]);
  expect(await findings()).toEqual([]);

  // Turned over, each card has what is stored, letter by letter.
  const stored = await storedEntries(api, runId, total);
  await page.goto(`${product.url}/runs/${runId}?entry=1`);
  const shown = new Map<number, string>();
  await throughList(page, async () => {
    await turnAll(page);
    for (const [seq, text] of await rawOnPage(page)) shown.set(seq, text);
  });
  expect([...stored.keys()].filter((seq) => !shown.has(seq))).toEqual([]);
  for (const [seq, entry] of stored) {
    expect(withHidden(shown.get(seq) ?? ""), `entry ${seq}`).toBe(JSON.stringify(entry, null, 2));
  }
  expect(await findings()).toEqual([]);

  for (const tab of ["changes", "raw", "timeline"]) {
    await page.goto(`${product.url}/runs/${runId}?tab=${tab}`);
    await expect(page.getByRole("navigation", { name: "Views of the run" })).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
  await page.goto(`${product.url}/runs`);
  await page.waitForLoadState("networkidle");
  expect(await findings()).toEqual([]);
});

async function reportedRun(api: ApiClient, entries: readonly ReportedEntry[], prompt: string): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  let batch: ReportedEntry[] = [];
  let length = 0;
  const send = async () => {
    const { status, body } = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: batch });
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    batch = [];
    length = 0;
  };
  for (const entry of entries) {
    const added = JSON.stringify(entry).length;
    if (batch.length === 1_000 || (batch.length > 0 && length + added > 12_000_000)) await send();
    batch.push(entry);
    length += added;
  }
  await send();
  await api.ask("PATCH", `/agent/run/${run.id}`, {
    status: "completed",
    result: prompt,
    summary: prompt.slice(0, 1_000),
  });
  return Number(run.id);
}

async function storedEntries(api: ApiClient, runId: number, total: number): Promise<Map<number, unknown>> {
  const stored = new Map<number, unknown>();
  for (let skip = 0; skip < total; skip += 100) {
    const { body } = await api.ask("GET", `/agent/run/${runId}/logs?skip=${skip}&limit=100`);
    for (const entry of body.logs as { seq: number }[]) stored.set(entry.seq, entry);
  }
  expect(stored.size).toBe(total);
  return stored;
}

/** Goes through the list of steps from its first to its last, and looks at each stretch of it once it is there. */
async function throughList(page: Page, look: () => Promise<void>): Promise<void> {
  const feed = page.getByRole("feed");
  await expect(feed).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("g");
    await expect(page.locator("article[data-seq='1'][tabindex]")).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  for (;;) {
    await page.waitForFunction(() => document.querySelector("[role=feed] article:not([data-seq][tabindex])") === null);
    await look();
    const isEnd = await feed.evaluate((element) => {
      const scroller = element.closest("[tabindex='0'].overflow-y-auto") ?? element.parentElement;
      if (scroller === null) throw new Error("The feed is not in what scrolls it.");
      const before = scroller.scrollTop;
      scroller.scrollBy({ top: scroller.clientHeight * 0.8 });
      return scroller.scrollTop === before;
    });
    if (isEnd) return;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  }
}

function seqsOnPage(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("article[data-seq][tabindex]")].map(({ dataset }) =>
      Number(dataset.seq),
    ),
  );
}

async function turnAll(page: Page): Promise<void> {
  const turned = () =>
    page.evaluate(() => {
      const open = document.querySelectorAll<HTMLElement>(
        "article button[aria-pressed=false][aria-label$='as it is stored']",
      );
      for (const button of open) button.click();
      const folded = document.querySelectorAll<HTMLElement>("article [data-raw] button[aria-expanded=false]");
      for (const button of folded) button.click();
      const turned = document.querySelectorAll("article[data-seq][tabindex]");
      const awaited = [...turned].filter((card) => card.querySelector("[data-raw]") === null);
      return open.length + folded.length + awaited.length;
    });
  await expect.poll(turned).toBe(0);
}

function rawOnPage(page: Page): Promise<[number, string][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("article[data-seq] [data-raw]")].map((raw): [number, string] => [
      Number(raw.closest<HTMLElement>("article")?.dataset.seq),
      [...raw.querySelectorAll<HTMLElement>("div[style*='height']")].map((row) => row.textContent).join("\n"),
    ]),
  );
}

/** The characters that the viewer names in place of showing them. */
function withHidden(text: string): string {
  return text.replace(/⟦U\+([0-9A-F]{4,6})(?: ×(\d+))?⟧/g, (_, code: string, count = "1") =>
    String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(count)),
  );
}

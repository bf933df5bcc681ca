import type { Page } from "@playwright/test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiClient } from "./api.ts";
import { entriesOfPayload, entriesWith, type ReportedEntry } from "./hostile-entries.ts";
import { shortPayloads } from "./hostile-payloads.ts";
import { guard } from "./page-guard.ts";
import { expect, test } from "./test.ts";

test.setTimeout(600_000);
// Many cards at once, so that the list needs fewer scroll steps.
test.use({ viewport: { width: 1280, height: 5_000 } });

const payloads = shortPayloads();
/** Number of entries made of each text. */
const entriesEach = countOf({ short: 1, long: entriesOfPayload });

test("400 hostile texts in every field are shown as plain text, each as it is stored", async ({
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
  const all = payloads.map(entriesWith);
  // The short form takes one of the four entries of each text, a different one from text to text.
  const entries =
    entriesEach === entriesOfPayload
      ? all.flat()
      : all.flatMap((each, index) => each[(index + Math.floor(index / entriesOfPayload)) % entriesOfPayload] ?? []);
  expect(kindsOf(entries)).toEqual(kindsOf(all.flat()));
  const runId = await reportedRun(api, entries, prompt);
  const findings = await guard(page, product.url);
  await page.goto(`${product.url}/runs/${runId}?entry=1`);

  const total = payloads.length * entriesEach;
  const stored = await storedEntries(api, runId, total);
  const seen = new Set<number>();
  const shown = new Map<number, string>();
  await throughList(page, async () => {
    // Turned cards have another height, so others come into view: each card is checked before it is turned.
    let cards = await cardsOnPage(page);
    do {
      for (const seq of cards) seen.add(seq);
      expect(await findings()).toEqual([]);
      await turn(page, cards);
      for (const [seq, text] of await rawOnPage(page)) shown.set(seq, text);
      expect(await findings()).toEqual([]);
      cards = await cardsOnPage(page);
    } while (cards.length > 0);
  });
  expect([...stored.keys()].filter((seq) => !seen.has(seq))).toEqual([]);
  // Turned over, each card has the stored text, character by character.
  expect([...stored.keys()].filter((seq) => !shown.has(seq))).toEqual([]);
  for (const [seq, entry] of stored) {
    expect(withHidden(shown.get(seq) ?? ""), `entry ${seq}`).toBe(JSON.stringify(entry, null, 2));
  }

  for (const tab of ["changes", "raw", "timeline"]) {
    await page.goto(`${product.url}/runs/${runId}?tab=${tab}`);
    await expect(page.getByRole("navigation", { name: "Views of the run" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await findings()).toEqual([]);
  }
  await page.goto(`${product.url}/runs`);
  await page.waitForLoadState("networkidle");
  expect(await findings()).toEqual([]);
});

test("a lone surrogate is shown by its code, by the server as in the browser", async ({ product, signedIn: page }) => {
  const api = await ApiClient.create(product);
  const cut = "half \ud83d of";
  const entries = [
    { message_type: "PLAN_EVALUATION", thought: cut },
    { message_type: "ACTION", tool_name: "Bash", tool_input: { command: cut }, tool_output: { output: cut } },
    { message_type: "ACTION", tool_name: cut, tool_input: { [cut]: cut }, tool_output: {} },
    { message_type: "ERROR", observation: cut },
    { message_type: "FINAL_ANSWER", observation: `**${cut}** \`${cut}\`` },
  ];
  const runId = await reportedRun(api, entries, "Look");
  const findings = await guard(page, product.url);
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(page.getByRole("feed").getByText("half ⟦U+D83D⟧ of").last()).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await findings()).toEqual([]);
});

const tools = ["Grep", "Bash", "Edit", "Read", "WebFetch", "apply_patch"];

/** The message types, and the kinds of tools with their own cards. */
function kindsOf(entries: readonly ReportedEntry[]): string[] {
  const names = entries.map(({ message_type, tool_name }) =>
    tools.includes(String(tool_name)) ? `${tool_name}` : message_type,
  );
  return [...new Set(names)].sort();
}

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

/** Scrolls through the list of steps from first to last, and calls `look` at each stretch once it is loaded. */
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

/** The cards not turned over yet. */
function cardsOnPage(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("article[data-seq][tabindex]:not(:has([data-raw]))")].map(
      ({ dataset }) => Number(dataset.seq),
    ),
  );
}

/** Turns cards over and opens everything on the backs in view. */
async function turn(page: Page, seqs: readonly number[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const backs = [...document.querySelectorAll<HTMLElement>("article[data-seq] [data-raw]")];
    const fronts = wanted
      .flatMap((seq) => [...document.querySelectorAll<HTMLElement>(`article[data-seq="${seq}"][tabindex]`)])
      .filter((card) => card.querySelector("[data-raw]") === null);
    const unturned = fronts.flatMap((card) => [
      ...card.querySelectorAll<HTMLElement>("button[aria-pressed=false][aria-label$='as stored']"),
    ]);
    const folded = backs.flatMap((back) => [...back.querySelectorAll<HTMLElement>("button[aria-expanded=false]")]);
    for (const button of [...unturned, ...folded]) button.click();
    return fronts.length === 0 && folded.length === 0;
  }, seqs);
}

function rawOnPage(page: Page): Promise<[number, string][]> {
  return page.evaluate(() => {
    // Lines are one text node, or one element each if any of them needs markup.
    const linesOf = (text: HTMLElement) => {
      const rows = [...text.querySelectorAll<HTMLElement>("div[style*='height']")];
      return rows.length === 0 ? text.textContent : rows.map((row) => row.textContent).join("\n");
    };
    return [...document.querySelectorAll<HTMLElement>("article[data-seq] [data-raw]")].map((raw): [number, string] => [
      Number(raw.closest<HTMLElement>("article")?.dataset.seq),
      [...raw.querySelectorAll<HTMLElement>("[class*='whitespace-pre']")].map(linesOf).join("\n"),
    ]);
  });
}

/** The text with the characters that the viewer names instead of showing them. */
function withHidden(text: string): string {
  return text.replace(/⟦U\+([0-9A-F]{4,6})(?: ×(\d+))?⟧/g, (_, code: string, count = "1") =>
    String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(count)),
  );
}

import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("a selection in a long output copies every selected line, and Ctrl+A takes the output alone", async ({
  signedIn: page,
  product,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Long output", agent: "external" });
  const output = Array.from({ length: 4_000 }, (_, line) => `line ${line + 1}`).join("\n");
  const action = { message_type: "ACTION", tool_name: "Bash", tool_input: { command: "seq" }, tool_output: { output } };
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [action] })).status).toBe(200);
  await page.goto(`${product.url}/runs/${run.id}?entry=1`);
  const card = page.locator('article[data-seq="1"][tabindex]');
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  const folded = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => document.getSelection()?.removeAllRanges());
  expect(folded, "a fold is told").toMatch(/line \d+\r?\n⋯\r?\nline \d+/);
  await card
    .getByRole("button", { name: /^Show all/ })
    .first()
    .click();
  const tenth = card.getByText("line 10", { exact: true });
  await tenth.click({ position: { x: 1, y: 10 } });
  const late = card.getByText("line 3000", { exact: true });
  const isThere = () => late.isVisible().then(async (is) => is && ((await late.boundingBox())?.y ?? 9_999) < 500);
  for (let turns = 0; turns < 400 && !(await isThere()); turns += 1) {
    await page.mouse.wheel(0, 300);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await late.click({ modifiers: ["Shift"], position: { x: 1, y: 10 } });
  const copied = async () => {
    await page.keyboard.press("Control+c");
    return (await page.evaluate(() => navigator.clipboard.readText())).replaceAll("\r\n", "\n").trim().split("\n");
  };
  const lines = await copied();
  expect([lines[0], lines.length, lines.at(-1)]).toEqual(["line 10", 2_990, "line 2999"]);
  expect(lines).toEqual(Array.from({ length: 2_990 }, (_, at) => `line ${at + 10}`));

  await late.click();
  await page.keyboard.press("Control+a");
  const all = await copied();
  expect([all[0], all.length, all.at(-1)]).toEqual(["line 1", 4_000, "line 4000"]);
});

test("a selection across cards copies what is between them, also of cards that were scrolled away, and says what is not loaded", async ({
  signedIn: page,
  product,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Many cards", agent: "external" });
  const messages = Array.from({ length: 3_000 }, (_, at) => ({
    message_type: "PLAN_EVALUATION",
    thought: `word${at + 1}.`,
  }));
  for (let at = 0; at < messages.length; at += 500) {
    const { status } = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: messages.slice(at, at + 500) });
    expect(status).toBe(200);
  }
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  await page.goto(`${product.url}/runs/${run.id}?entry=1`);
  const word = (at: number) => page.getByText(`word${at}.`, { exact: true });
  const copiedWords = async () => {
    await page.keyboard.press("Control+c");
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return { text, words: text.match(/word\d+/g)?.map((found) => Number(found.slice(4))) ?? [] };
  };
  const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const scrollTo = async (at: number) => {
    const inView = () =>
      page.evaluate(() => {
        const cards = [...document.querySelectorAll<HTMLElement>("article[data-seq]")];
        return Number(cards.find((card) => card.getBoundingClientRect().bottom > 450)?.dataset.seq ?? 0);
      });
    for (let now = await inView(); Math.abs(now - at) > 3; now = await inView()) {
      await page.mouse.wheel(0, Math.max(-250, Math.min(250, (at - now) * 30)));
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await expect(word(at)).toBeVisible();
  };
  await word(3).click({ position: { x: 1, y: 8 } });
  await scrollTo(120);
  await expect(page.getByText("word60.", { exact: true })).toHaveCount(0);
  await word(120).click({ modifiers: ["Shift"], position: { x: 1, y: 8 } });
  // What was passed too fast to be loaded is loaded for the selection.
  await expect.poll(async () => (await copiedWords()).words).toEqual(between(3, 119));
  await scrollTo(30);
  await expect.poll(async () => (await copiedWords()).words, "both ends are kept").toEqual(between(3, 119));
  await scrollTo(3);
  await expect.poll(async () => (await copiedWords()).words, "back where it began").toEqual(between(3, 119));

  // The same address again would be a reload, which returns to where the reader was.
  await page.goto(`${product.url}/runs`);
  await page.goto(`${product.url}/runs/${run.id}?entry=1`);
  await word(2).click({ position: { x: 1, y: 8 } });
  await page.keyboard.press("End");
  await word(2_999).click({ modifiers: ["Shift"], position: { x: 1, y: 8 } });
  const counted = async () => {
    const { text, words } = await copiedWords();
    const missing = /\[([\d,]+) steps not copied: not loaded\. Export has all\.\]/.exec(text)?.[1] ?? "0";
    return { copied: words.length, missing: Number(missing.replace(",", "")) };
  };
  // A thousand steps are loaded for it; the rest is told.
  await expect.poll(async () => (await counted()).copied).toBeGreaterThan(1_000);
  const { copied, missing } = await counted();
  expect(missing).toBeGreaterThan(1_000);
  expect(copied + missing).toBe(2_997);
});

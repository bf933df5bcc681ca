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

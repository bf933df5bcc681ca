import { fact, fullName, test, writes } from "./connected.ts";
import { findings, inspect, narrow, showIn } from "./look.ts";
import { expect, signIn } from "./test.ts";

test("by keyboard: a pull request is made ready, closed and reopened from the page, and its run is banned", async ({
  page,
  connected: { host, product, api, waitingPull },
}) => {
  const runId = await waitingPull({ draft: true });
  await signIn(page, product);
  await page.goto(`${product.url}/runs/${runId}?tab=changes`);
  await page.getByText("Use this work", { exact: true }).press("Enter");
  const way = page.getByRole("region", { name: "Pull request" });
  const choose = async (name: string) => {
    await way.getByRole("button", { name: /^Actions for #\d+$/ }).press("Enter");
    await page.getByRole("menuitem", { name }).press("Enter");
  };
  const there = () => host.pullsOf(fullName).map(({ draft, isOpen }) => [draft, isOpen]);
  await choose("Mark as ready for review");
  await expect.poll(there).toEqual([[false, true]]);

  await showIn(page, narrow);
  await choose("Close…");
  const dialog = page.getByRole("dialog", { name: /^Close #/ });
  expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(way.getByRole("button", { name: /^Actions for/ })).toBeFocused();
  expect(there(), "nothing is closed unless it is confirmed").toEqual([[false, true]]);
  await choose("Close…");
  await dialog.getByRole("button", { name: "Close pull request" }).press("Enter");
  // The work on it ends, because it was closed.
  await expect(fact(page)).toContainText("Closed");
  await expect(dialog).toBeHidden();
  expect(there()).toEqual([[false, false]]);
  await expect(way.getByRole("button")).toHaveCount(1);
  await choose("Reopen");
  await expect(fact(page)).toContainText("Open");
  await expect(fact(page)).not.toContainText(/closed/i);
  expect(there()).toEqual([[false, true]]);

  await choose("Ban run…");
  const ban = page.getByRole("dialog", { name: "Ban this run?" });
  await ban.getByRole("button", { name: "Ban run" }).press("Enter");
  await expect(page.getByText("Run banned").first()).toBeVisible();
  await expect(ban).toBeHidden();
  await expect(way.getByRole("button", { name: /^Actions for/ })).toBeFocused();
  expect((await api.ask("GET", `/agent/run/${runId}`)).body.banned_at).not.toBeNull();
  await choose("Unban run");
  await expect(page.getByText("Run unbanned").first()).toBeVisible();
  expect((await api.ask("GET", `/agent/run/${runId}`)).body.banned_at).toBeNull();
  // The menu's button has the focus, and so its tooltip is shown: outside of the landmarks, as every tooltip.
  await inspect(page, "the menu of a pull request", { without: ["region"] });

  host.faults.push(502);
  await choose("Convert to draft");
  await expect(page.getByText(/was not changed/).first()).toBeVisible();
  expect(there()).toEqual([[false, true]]);
});

test("on the page of its run, a comment by somebody with write permission becomes a turn; a reader's and a bot's do not", async ({
  page,
  connected: { host, product, api, waitingPull, comment },
}) => {
  host.addPerson("ada", "write");
  host.addPerson("eve", "read");
  host.addPerson("bot", "write", { isBot: true });
  const runId = await waitingPull({ draft: true });
  await signIn(page, product);
  await page.goto(`${product.url}/runs/${runId}`);
  for (const login of ["eve", "bot", "ada"]) await comment(login, `@errand from ${login}\n${writes(login)}`);
  const step = page.getByRole("article").filter({ hasText: "@ada" });
  await expect(step.first()).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(async () => await host.git.read(fullName, `errand/run-${runId}`, "a.txt"), { timeout: 60_000 })
    .toBe("ada");
  await expect(page.getByText(/from (?:eve|bot)/)).toHaveCount(0);
  expect((await api.ask("GET", `/agent/run/${runId}`)).body.turns).toBe(2);
});

import { ApiClient } from "./api.ts";
import { findings } from "./look.ts";
import { expect, test } from "./test.ts";

test("a person is invited, joins in another browser, follows a run, gets another role, and is signed out when removed", {
  tag: "@short",
}, async ({ signedIn: page, product, browser }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Count the stars", agent: "external" });
  const say = (thought: string) =>
    api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [{ message_type: "PLAN_EVALUATION", thought }] });
  await say("One star.");

  await page.goto(`${product.url}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Who it is for").fill("Grace");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await page.getByRole("dialog", { name: "Copy the invitation now" }).locator("code").innerText();
  expect(url).toMatch(new RegExp(`^${product.url}/invite/[0-9A-Za-z]{32}$`));
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("button", { name: "Withdraw the invitation: Grace" })).toBeVisible();

  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, colorScheme: "dark" });
  const guest = await context.newPage();
  const answered = await guest.goto(url);
  expect(answered?.headers()["referrer-policy"]).toBe("no-referrer");
  expect(await findings(guest)).toEqual([]);
  const fill = async (label: string, value: string) => {
    await guest.getByLabel(label).fill(value);
    await expect(guest.getByLabel(label)).toHaveValue(value);
  };
  await fill("Name", "Grace Hopper");
  await fill("Email", "grace@example.com");
  await fill("Password", "short");
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest.getByRole("alert").filter({ hasText: "at least 10 characters" })).toBeVisible();
  await fill("Password", "correct horse battery");
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.waitForURL(/\/runs$/);

  await guest.goto(`${product.url}/runs/${run.id}`);
  await expect(guest.getByText("One star.")).toBeVisible();
  await say("Two stars.");
  await expect(guest.getByText("Two stars.")).toBeVisible();

  await page.reload();
  // The notice of the change names her too.
  const member = page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: "Grace Hopper" });
  const askFor = async (item: string) => {
    await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await askFor("Change role…");
  await page.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: /^viewer/ }).click();
  const held = Promise.withResolvers<void>();
  await page.route(/\/users\/\d+$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save role" }).click();
  // What has begun cannot be taken back.
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeVisible();
  held.resolve();
  await expect(member).toContainText("viewer");
  // A new role that may read keeps the page open.
  await say("Three stars.");
  await expect(guest.getByText("Three stars.")).toBeVisible();

  await askFor("Remove…");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Actions for Grace Hopper" })).toBeFocused();
  await askFor("Remove…");
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(member).toHaveCount(0);
  // Within 5 s, as tail-access.test.ts proves: a busy machine loads the page more slowly than that.
  await guest.waitForURL(/\/login/);
  await guest.goto(url);
  await expect(guest.getByText("This invitation has already been accepted.")).toBeVisible();
  await context.close();
});

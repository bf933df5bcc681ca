import { ApiClient } from "./api.ts";
import { expectFocusIn, tabTo } from "./keyboard.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

test("when the pressed control goes away, the focus stays in its part of the page, or at least in the page's content", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const rules = { network: "allowed", add: [{ host: "focus.example.com" }] };
  expect((await api.ask("PATCH", "/network", rules)).status).toBe(200);
  await page.goto(`${product.url}/settings/isolation`);
  const keys = page.getByRole("region", { name: "Keys for agents" });
  const form = keys.getByRole("form", { name: "Add a key" });
  const add = keys.getByRole("button", { name: "Add a key" });
  await expect(async () => {
    if (!(await form.isVisible())) await add.press("Enter", { timeout: 1000 });
    await expect(form).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expectFocusIn(keys);
  await page.keyboard.press("Tab");
  await expect(form.getByRole("combobox", { name: "Variable" })).toBeFocused();
  await form.getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(form).toHaveCount(0);
  await expectFocusIn(keys);

  const network = page.getByRole("region", { name: "Network" });
  await network.getByRole("radio", { name: "Off", exact: true }).click();
  const cancel = network.getByRole("button", { name: "Cancel" });
  await cancel.press("Enter");
  await expect(cancel).toHaveCount(0);
  await expectFocusIn(network);
  const remove = network.getByRole("button", { name: "Remove focus.example.com" });
  await remove.press("Enter");
  await expect(remove).toHaveCount(0);
  await expectFocusIn(network);

  expect((await api.ask("PUT", "/keys", { variable: "KEY_OF_FOCUS", value: "sk-of-the-focus" })).status).toBe(200);
  await page.reload();
  const row = keys.getByRole("listitem").filter({ hasText: "KEY_OF_FOCUS" });
  const dialog = page.getByRole("dialog", { name: "Delete KEY_OF_FOCUS?" });
  await expect(async () => {
    if (!(await dialog.isVisible())) await row.getByRole("button").press("Enter", { timeout: 1000 });
    await expect(dialog).toBeVisible({ timeout: 1000 });
  }).toPass();
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expectFocusIn(page.getByRole("main"));

  for (const note of ["One", "Two"])
    await api.ask("POST", "/invitations", { role: "viewer", note: `${note} of focus` });
  await page.goto(`${product.url}/settings/members`);
  const invitations = page.getByRole("region", { name: "Open invitations" });
  const withdraw = (note: string) => invitations.getByRole("button", { name: `${note} of focus` });
  await expect(withdraw("One")).toBeVisible();
  await expect(async () => {
    if (await withdraw("One").isVisible()) await withdraw("One").press("Enter", { timeout: 1000 });
    await expect(withdraw("One")).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await expectFocusIn(invitations);
  await withdraw("Two").press("Enter");
  await expect(withdraw("Two")).toHaveCount(0);
  await expectFocusIn(page.getByRole("main"));

  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const addTest = page.getByRole("button", { name: "Add test command" });
  const command = page.getByRole("textbox", { name: "Test command 1" });
  await expect(async () => {
    if (!(await command.isVisible())) await addTest.press("Enter", { timeout: 1000 });
    await expect(command).toBeFocused({ timeout: 1000 });
  }).toPass();
  await command.press("Backspace");
  await expect(command).toHaveCount(0);
  await expect(addTest).toBeFocused();

  await page.goto(`${product.url}/settings/audit`);
  await page.route("**/audit?**", (route) => route.abort());
  await expect(async () => {
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "Revoked a token" }).click({ timeout: 1000 });
  }).toPass();
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  await page.unroute("**/audit?**");
  await again.press("Enter");
  await expect(again).toHaveCount(0);
  await expectFocusIn(page.getByRole("main"));

  // Nothing has the focus when this dialog is opened, as after a control that went away then.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectFocusIn(page.getByRole("main"));
});

test("answered by keyboard, a question leaves the focus to the next one, and the last one to the steps", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const prompt = "Two steps\n```sh\necho one\n```\n```sh\necho two\n```";
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps", permission_mode: "ask" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const panel = page.getByRole("region", { name: /^The agent asks/ });
  const allow = panel.getByRole("button", { name: "Run this step" });
  await expect(panel).toContainText("echo one");
  await allow.press("Enter");
  await expect(panel).toContainText("echo two");
  await expectFocusIn(panel);
  await tabTo(page, allow);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Completed").first()).toBeVisible();
  await expect(panel).toHaveCount(0);
  await expectFocusIn(page.locator("[data-view-area]"));
});

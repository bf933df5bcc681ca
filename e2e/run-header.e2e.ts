import { ApiClient } from "./api.ts";
import { findings, narrow, overflow, showIn, wide } from "./look.ts";
import { expect, test } from "./test.ts";

test("on a phone the title keeps two lines, and less frequent actions are in one menu", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const title =
    "Read the settings of every service once, and say in one place which of them are missing or out of bounds";
  const prompt = `${title}\n\`\`\`sh\nexit 0\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");

  await page.goto(`${product.url}/runs/${run.id}`);
  await showIn(page, narrow);
  const heading = page.getByRole("heading", { level: 1 });
  const box = await heading.boundingBox();
  expect(box?.height, "two lines").toBe(48);
  expect(box?.width, "about half of the line").toBeGreaterThan(170);
  for (const name of ["Share", "Copy link", "Export", "Delete"]) {
    await expect(page.getByRole("button", { name, exact: true })).toBeHidden();
  }
  await page.getByRole("button", { name: "More" }).press("Enter");
  for (const name of ["Share", "Copy link", /^JSON/, /^Markdown/, /^HTML/, "Delete"]) {
    await expect(page.getByRole("menuitem", { name })).toBeVisible();
  }
  // An open menu is outside the landmarks, as menus are.
  expect(await findings(page, { without: ["region"] })).toEqual([]);
  await page.getByRole("menuitem", { name: "Share" }).press("Enter");
  await expect(page.getByRole("dialog", { name: `Share run #${run.id}` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "More" })).toBeFocused();
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  await page.getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  const asked = page.getByRole("dialog", { name: `Delete run ${run.id}?` });
  await asked.getByRole("button", { name: "Delete run" }).press("Enter");
  await expect(page).toHaveURL(`${product.url}/runs`);
});

test("a toast never covers the button of the composer", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "```sh\nexit 0\n```", agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("textbox", { name: "Continue the run" }).fill("Go on.");
  const send = page.getByRole("button", { name: /^Continue/ });
  await expect(send).toBeEnabled();
  for (const view of [wide, narrow]) {
    await showIn(page, view);
    if (view === narrow) await page.getByRole("button", { name: "More" }).press("Enter");
    await page.getByRole(view === wide ? "button" : "menuitem", { name: "Copy link" }).press("Enter");
    const toast = page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
    await expect(toast).toBeVisible();
    const [foot, top] = await Promise.all([toast.boundingBox(), send.boundingBox()]);
    expect((foot?.y ?? 0) + (foot?.height ?? 0), `${view.width} px`).toBeLessThanOrEqual(top?.y ?? 0);
    await toast.getByRole("button", { name: "Dismiss" }).press("Enter");
    await expect(toast).toHaveCount(0);
  }
});

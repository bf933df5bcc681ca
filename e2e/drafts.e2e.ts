import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("a message sent from one tab does not come back from another, which keeps what is written there", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Drafts", agent: "external" });
  const address = `${product.url}/runs/${run.id}`;
  const fieldOf = (tab: typeof page) => tab.locator("[data-composer]").getByRole("textbox");
  const stored = () => page.evaluate((key) => localStorage.getItem(key), `errand.draft.run.${run.id}`);
  await page.goto(address);
  await fieldOf(page).fill("Deploy it");
  await expect.poll(stored).toBe("Deploy it");
  const [other, third] = [await page.context().newPage(), await page.context().newPage()];
  for (const tab of [other, third]) {
    await tab.goto(address);
    await expect(fieldOf(tab)).toHaveValue("Deploy it");
  }
  await fieldOf(third).fill("Deploy it later");
  await expect.poll(stored).toBe("Deploy it later");
  await expect(fieldOf(other)).toHaveValue("Deploy it later");

  await fieldOf(page).fill("Deploy it now");
  await fieldOf(page).press("Control+Enter");
  await expect(page.getByRole("feed").getByText("Deploy it now")).toBeVisible();
  await expect(fieldOf(page)).toHaveValue("");
  await expect(fieldOf(other)).toHaveValue("");
  await other.close({ runBeforeUnload: true });
  await expect.poll(stored).toBe(null);
  // Written there and not sent: it stays.
  await fieldOf(third).fill("Tell the others");
  await third.reload();
  await expect(fieldOf(third)).toHaveValue("Tell the others");
  await third.close();
});

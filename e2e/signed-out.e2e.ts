import { ApiClient } from "./api.ts";
import { expect, signIn, test } from "./test.ts";

test("the page of a live run goes to the sign-in page when its person signs out elsewhere, and returns after signing in", async ({
  page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await signIn(page, product);
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Wait.\n```sh\necho waiting; sleep 60\n```",
    agent: "steps",
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  const following = page.waitForResponse((response) => response.url().includes("/logs/stream"));
  await page.reload();
  await following;
  const signedOut = await page.evaluate(async () => {
    const { status } = await fetch("/v1/session", { method: "DELETE" });
    return status;
  });
  expect(signedOut).toBe(200);
  await expect(page).toHaveURL(new RegExp(`/login\\?next=%2Fruns%2F${run.id}$`), { timeout: 10_000 });
  await expect(page.getByRole("heading", { name: "Sign in to Errand" })).toBeVisible();
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
});

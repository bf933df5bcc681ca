import { expect, test } from "./test.ts";

test("a form with an empty field says which one before it asks the server", async ({ signedIn: page, product }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    // HEAD asks whether the server is there.
    if (request.method() !== "GET" && request.method() !== "HEAD") sent.push(`${request.method()} ${request.url()}`);
  });
  await page.goto(`${product.url}/runs/new`);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("   ");
  await prompt.press("Control+Enter");
  await expect(page.getByText("Prompt must not be empty")).toBeVisible();
  await expect(prompt).toBeFocused();

  await page.goto(`${product.url}/repositories`);
  await page.getByRole("button", { name: "Add repository" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add repository" }).click();
  await expect(dialog.getByText(/^(Source|URL|Path or URL) must not be empty$/)).toBeVisible();
  expect(sent).toEqual([]);
});

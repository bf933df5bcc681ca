import { createServer } from "node:net";
import { ProviderUnderTest } from "#lib/oidc/provider-under-test.fixture.ts";
import { Product } from "./product.ts";
import { expect, signIn, test } from "./test.ts";

/** A port that was free a moment ago: the provider must know the redirect address before the product starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a person has several organizations, a link switches between them, and people join by OpenID Connect", async ({
  browser,
}) => {
  const port = await freePort();
  const provider = await ProviderUnderTest.start(`http://127.0.0.1:${port}/login/oidc`);
  const product = await Product.start({
    PORT: String(port),
    ...provider.environment(),
    ERRAND_OIDC_GROUP_ROLES: "readers=2:viewer",
  });
  try {
    const page = await (await browser.newContext()).newPage();
    await signIn(page, product);
    // The owner of the instance creates a second organization, which opens.
    await page.getByRole("button", { name: "Organization: Errand" }).click();
    await page.getByRole("menuitem", { name: "New organization" }).click();
    await page.getByLabel("Name").fill("Second");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByText("You are now in Second", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Organization: Second" })).toBeVisible();
    const made = await page.request.post(`${product.url}/v1/organizations/2/agent/run`, {
      data: { prompt: "Only in Second", agent: "external" },
      headers: { origin: product.url },
    });
    const { id: runId } = await made.json();

    // The menu switches back to the first one; a link to a run of the other one switches by itself, with a notice.
    await page.getByRole("button", { name: "Organization: Second" }).click();
    await page.getByRole("menuitem", { name: "Errand" }).click();
    await expect(page.getByRole("button", { name: "Organization: Errand" })).toBeVisible();
    await expect(page.getByText("You are now in Errand", { exact: true })).toBeVisible();
    // The page moves on to the other organization before it has loaded.
    await page.goto(`${product.url}/runs/${runId}`, { waitUntil: "commit" });
    await expect(page.getByText("You are now in Second", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Only in Second" })).toBeVisible();

    // A member of the group signs in by the provider, and sees only Second and the linked run.
    provider.account = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true, groups: ["readers"] };
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${product.url}/runs/${runId}`);
    await other.getByRole("button", { name: "Sign in with Example" }).click();
    await expect(other.getByRole("heading", { name: "Only in Second" })).toBeVisible();
    await expect(other.getByRole("button", { name: "Ada, your menu" })).toBeVisible();
    // The group is gone: the next sign-in is refused, and the session has ended.
    provider.account.groups = [];
    const third = await (await browser.newContext()).newPage();
    await third.goto(`${product.url}/login`);
    await third.getByRole("button", { name: "Sign in with Example" }).click();
    await expect(third.getByText("None of your groups gives you access here")).toBeVisible();
    // In a page of its own: the open one may notice it at the same moment, and its own way to the sign-in would cut this one off.
    const again = await other.context().newPage();
    await again.goto(`${product.url}/runs/${runId}`);
    await expect(again.getByRole("button", { name: "Sign in with Example" })).toBeVisible();

    // Each of these steps is in the audit log of Second.
    await page.goto(`${product.url}/settings/audit`);
    const records = page.getByRole("list", { name: "Records" });
    for (const act of ["Removed a member", "Added a member", "Created the organization"]) {
      await expect(records.getByText(act)).toBeVisible();
    }
    await page.goto(`${product.url}/settings/organization`);
    await page.getByLabel("Rules", { exact: true }).fill("Use tabs.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved", { exact: true })).toBeVisible();
  } finally {
    await product.stop();
    await provider.stop();
  }
});

test("a run of the organization that another tab has switched to is shown in that organization", async ({
  browser,
}) => {
  const product = await Product.start();
  try {
    const page = await (await browser.newContext()).newPage();
    await signIn(page, product);
    const other = await page.context().newPage();
    await other.goto(`${product.url}/runs`);
    await page.getByRole("button", { name: "Organization: Errand" }).click();
    await page.getByRole("menuitem", { name: "New organization" }).click();
    await page.getByLabel("Name").fill("Second");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByRole("button", { name: "Organization: Second" })).toBeVisible();
    const made = await page.request.post(`${product.url}/v1/organizations/2/agent/run`, {
      data: { prompt: "Only in Second", agent: "external" },
      headers: { origin: product.url },
    });
    const { id: runId } = await made.json();
    await expect(other.getByRole("button", { name: "Organization: Errand" })).toBeVisible();
    await other.keyboard.press("Control+k");
    await other.getByRole("dialog").getByRole("combobox").fill(`#${runId}`);
    await other.getByRole("option", { name: new RegExp(`#${runId}\\b`) }).click();
    await expect(other.getByRole("heading", { name: "Only in Second" })).toBeVisible();
    await expect(other.getByRole("button", { name: "Organization: Second" })).toBeVisible();
  } finally {
    await product.stop();
  }
});

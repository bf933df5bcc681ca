import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, signIn, test } from "./test.ts";

/** Whether the wall works on this machine. */
async function wallHolds(api: ApiClient): Promise<boolean> {
  const machine = async () => (await api.ask("GET", "/isolation")).body.machine as { holds: boolean } | null;
  await expect.poll(machine).not.toBe(null);
  return (await machine())?.holds === true;
}

const fix = "sudo apt install bubblewrap";

/** A PATH with everything except bubblewrap. */
function withoutBubblewrap(): string {
  const bin = temporaryFolder("errand bin ");
  for (const folder of (process.env.PATH ?? "").split(":").filter((path) => existsSync(path))) {
    for (const name of readdirSync(folder)) {
      if (name !== "bwrap" && !existsSync(join(bin, name))) symlinkSync(join(folder, name), join(bin, name));
    }
  }
  return bin;
}

/** An ended run of the built-in agent that has tried to reach a host. */
async function triedToReach(api: ApiClient, host: string, repoId: number): Promise<number> {
  const prompt = `Reach it.\n\`\`\`sh\nnode -e 'fetch("http://${host}/").then((r) => console.log(r.status), console.log)'\n\`\`\``;
  const { body } = await api.ask("POST", "/agent/run", { prompt, repo_id: repoId, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${body.id}`)).body.status).toBe("completed");
  return Number(body.id);
}

test("if the wall does not work, the page says why and shows the command that fixes it; runs that require it fail with that command", async ({
  browser,
}) => {
  const product = await Product.start({ PATH: withoutBubblewrap() });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await signIn(page, product);
    const api = await ApiClient.create(product);
    expect(await wallHolds(api)).toBe(false);
    await page.goto(`${product.url}/settings/isolation`);
    const machine = page.getByRole("region", { name: "This machine" });
    await expect(machine.getByText("The wall does not work on this machine")).toBeVisible();
    await expect(machine.getByText("The program bwrap is not installed.", { exact: true })).toBeVisible();
    await expect(machine.getByText(fix, { exact: true })).toBeVisible();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await expect(async () => {
      await machine.getByRole("button", { name: "Copy the command that fixes this" }).click({ timeout: 1000 });
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fix);
    }).toPass();
    await expect(
      page.getByRole("list", { name: "How agents are isolated" }).getByText("Not isolated").first(),
    ).toBeVisible();
    await inspect(page, "isolation, without-wall", { seriousOnly: true });
    // `errand doctor` says the same.
    const said = await product.cli("doctor").catch((error: { stdout?: string }) => error.stdout ?? "");
    expect(said).toContain("The wall does not work on this machine.");
    expect(said).toMatch(/\n +The program bwrap is not installed\.\n +To fix this, run: sudo apt install bubblewrap\n/);

    const required = page.getByRole("switch", { name: "Require the wall" });
    await expect(page.getByText(/If you turn this on, these agents cannot start now: .*Built-in/)).toBeVisible();
    await expect(async () => {
      await required.click();
      await expect(required).toBeChecked({ timeout: 2000 });
    }).toPass();
    await expect(page.getByText(/These agents cannot start now: .*Built-in/)).toBeVisible();
    expect((await api.ask("GET", "/settings")).body.require_wall).toBe(true);
    const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Look.\n```sh\ntrue\n```" });
    await page.goto(`${product.url}/runs/${run.id}`);
    await expect(
      page.getByText(/is not installed\. To fix this, run: sudo apt install bubblewrap/).first(),
    ).toBeVisible();
    await page.goto(`${product.url}/settings/isolation`);
    await expect(async () => {
      await required.click();
      await expect(required).not.toBeChecked({ timeout: 2000 });
    }).toPass();
  } finally {
    await context.close();
    await product.stop();
  }
});

test("a refused host is allowed from the run's details, and another from the settings", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  test.skip(!(await wallHolds(api)), "the wall does not work on this machine");
  await api.ask("PATCH", "/settings", { require_wall: true });
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const repoId = Number(repository.id);
  const first = await triedToReach(api, "telemetry.example.com", repoId);
  await triedToReach(api, "metrics.example.com:8443", repoId);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${product.url}/runs/${first}`);
  const facts = page.getByRole("complementary", { name: "Details of the run" });
  await expect(facts.getByText("Behind the wall")).toBeVisible();
  const refused = facts.getByRole("list", { name: "Refused connections" });
  await expect(refused.getByText("telemetry.example.com:80")).toBeVisible();
  await inspect(page, "isolation, run", { seriousOnly: true });
  await refused.getByRole("button", { name: /^Allow telemetry\.example\.com:80 for runs on / }).click();
  await expect(refused.getByText("Allowed now")).toBeVisible();
  await expect(refused.getByRole("button")).toHaveCount(0);
  expect((await api.ask("GET", `/repos/${repoId}/network`)).body.rules).toEqual([
    { host: "telemetry.example.com", port: 80 },
  ]);

  // A connection refused in the last moment of a run appears without a reload.
  const reach = `node -e 'fetch("http://late.example.com/").catch(() => {})'`;
  const prompt = `Late.\n\`\`\`sh\nsleep 2; ${reach}\n\`\`\``;
  const { body: late } = await api.ask("POST", "/agent/run", { prompt, repo_id: repoId, agent: "steps" });
  await page.goto(`${product.url}/runs/${late.id}`);
  await expect(refused.getByText("late.example.com:80")).toBeVisible();

  // The settings list both; the other one is allowed for all.
  await page.goto(`${product.url}/settings/isolation`);
  await expect(page.getByText("The wall works on this machine")).toBeVisible();
  await expect(page.getByRole("list", { name: "How agents are isolated" }).getByText("Behind the wall")).toBeVisible();
  const row = (host: string) =>
    page.getByRole("list", { name: "Refused connections" }).getByRole("listitem").filter({ hasText: host });
  await expect(row("telemetry.example.com:80").getByText("Allowed now")).toBeVisible();
  await inspect(page, "isolation, settings", { seriousOnly: true });
  const isAllowed = row("metrics.example.com:8443").getByText("Allowed now");
  await expect(async () => {
    const allow = row("metrics.example.com:8443").getByRole("button", { name: /for all runs$/ });
    // The click before this one may have been answered late.
    if (!(await isAllowed.isVisible())) await allow.click({ timeout: 2000 });
    await expect(isAllowed).toBeVisible({ timeout: 2000 });
  }).toPass();
  const hosts = page.getByRole("list", { name: "Allowed hosts" });
  await expect(hosts.getByRole("listitem").filter({ hasText: "metrics.example.com" })).toContainText("8443");

  // Hosts are added and removed one by one; an invalid one gets an error.
  const host = page.getByRole("textbox", { name: "Host" });
  await host.fill("10.0.0.1");
  await page.getByRole("button", { name: "Allow host" }).click();
  await expect(page.getByText("Host must not be an address of a private network")).toBeVisible();
  await host.fill("*.Example.org");
  await host.press("Enter");
  await expect(hosts.getByText("*.example.org")).toBeVisible();
  await hosts.getByRole("button", { name: "Remove metrics.example.com:8443" }).click();
  await expect(hosts.getByText("metrics.example.com")).toHaveCount(0);
  await hosts.getByRole("button", { name: "Remove *.example.org" }).click();
  await expect(hosts).toHaveCount(0);

  // The repository's page: its rule, its refused connections, its own mode.
  await page.goto(`${product.url}/repositories/${repoId}`);
  await expect(page.getByRole("list", { name: "Allowed hosts" }).getByText("telemetry.example.com")).toBeVisible();
  await expect(row("metrics.example.com:8443").getByRole("button", { name: /^Allow/ })).toHaveCount(1);
  const network = page.getByRole("region", { name: "Network" });
  await expect(network.getByRole("radio", { name: "Same as the organization" })).toBeChecked();
  await network.getByRole("radio", { name: "Off" }).click();
  await network.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Network changed", { exact: true })).toBeVisible();
  await inspect(page, "isolation, repository", { seriousOnly: true });
  expect((await api.ask("GET", `/repos/${repoId}/network`)).body.in_force).toBe("off");
  await page.goto(`${product.url}/runs/new?repo_id=${repoId}`);
  await expect(page.getByText(/^Behind the wall: /)).toBeVisible();
  await inspect(page, "isolation, new-run", { seriousOnly: true });
  await api.ask("PATCH", "/settings", { require_wall: false });
});

test("a key is added, never shown again, and deleted; an open network has a warning", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const value = "sk-of-this-journey-4711";
  await page.goto(`${product.url}/settings/isolation`);
  const keys = page.getByRole("region", { name: "Keys for agents" });
  const form = page.getByRole("form", { name: "Add a key" });
  await expect(async () => {
    // The click before this one may have been answered late.
    if (!(await form.isVisible())) await keys.getByRole("button", { name: "Add a key" }).click({ timeout: 1000 });
    await expect(form).toBeVisible({ timeout: 1000 });
  }).toPass();
  await form.getByRole("combobox", { name: "Variable" }).click();
  await page.getByPlaceholder("Find or type a variable").fill("ANTHROPIC_API_KEY");
  await page
    .getByRole("option", { name: /ANTHROPIC_API_KEY/ })
    .first()
    .click();
  await form.getByLabel("Key").fill("short");
  await form.getByRole("button", { name: "Save key" }).click();
  await expect(form.getByText("Key must have at least 8 characters")).toBeVisible();
  await inspect(page, "isolation, add-key", { seriousOnly: true });
  await form.getByLabel("Key").fill("workspace");
  await expect(form.getByText("It is a common word")).toBeVisible();
  await form.getByLabel("Key").fill(value);
  await expect(form.getByText("It is a common word")).toHaveCount(0);
  await form.getByRole("button", { name: "Save key" }).click();
  const row = keys.getByRole("listitem").filter({ hasText: "ANTHROPIC_API_KEY" });
  await expect(row).toBeVisible();
  await expect(form).toHaveCount(0);
  expect(await page.content()).not.toContain(value);
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(value);
  const { body } = await api.ask("GET", "/keys");
  expect(JSON.stringify(body)).toContain("ANTHROPIC_API_KEY");
  expect(JSON.stringify(body)).not.toContain(value);

  await expect(async () => {
    const asked = page.getByRole("dialog");
    if (!(await asked.isVisible()))
      await row.getByRole("button", { name: "Delete ANTHROPIC_API_KEY" }).click({ timeout: 1000 });
    await expect(asked).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);

  await api.ask("PATCH", "/network", { network: "open" });
  await page.reload();
  await expect(page.getByText("Organizations created before network rules existed start out open")).toBeVisible();
  await expect(async () => {
    await page.getByRole("radio", { name: "Allowed hosts" }).click();
    await page.getByRole("region", { name: "Network" }).getByRole("button", { name: "Save" }).click({ timeout: 1000 });
  }).toPass();
  await expect(page.getByText("The network is open")).toHaveCount(0);
  expect((await api.ask("GET", "/network")).body.network).toBe("allowed");
});

test("a person without the right sees the state, but no buttons and no keys", async ({ page, product }) => {
  const api = await ApiClient.create(product);
  const { body: invited } = await api.ask("POST", "/invitations", { role: "viewer" });
  const person = { full_name: "Viewer", email: "viewer@example.com", password: "correct horse battery" };
  const joined = await page.request.post(`${product.url}/v1/invitations/${invited.code}/accept`, { data: person });
  expect(joined.status()).toBe(200);
  await api.ask("PATCH", "/network", { add: [{ host: "seen.example.com" }] });
  await page.goto(`${product.url}/settings/isolation`);
  await expect(page.getByText(/^Your role here is viewer\./)).toBeVisible();
  const main = page.getByRole("main");
  await expect(main.getByRole("list", { name: "Allowed hosts" }).getByText("seen.example.com")).toBeVisible();
  await expect(main.getByRole("region", { name: "Keys for agents" })).toHaveCount(0);
  await expect(main.getByRole("switch")).toHaveCount(0);
  await expect(main.getByRole("button", { name: /Allow|Remove|Save|Add|Delete/ })).toHaveCount(0);
  for (const radio of await main.getByRole("radio").all()) await expect(radio).toBeDisabled();
  await inspect(page, "isolation, viewer", { seriousOnly: true });
  await api.ask("PATCH", "/network", { remove: [{ host: "seen.example.com" }] });
  const { user } = await joined.json();
  expect((await api.ask("DELETE", `/users/${user.id}`)).status).toBe(200);
});

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CodeHost, hostHookSecret, hostToken } from "#lib/host/code-host.fixture.ts";
import { mcpAuthorization, openMcpServer } from "#lib/host/mcp-server.fixture.ts";
import { ApiClient } from "./api.ts";
import { findings } from "./look.ts";
import { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { expect, signIn, test } from "./test.ts";

test("a code host is connected on the page, a mention there starts a run, and the answer is posted there", async ({
  page,
}) => {
  const host = await CodeHost.open("github");
  const product = await Product.start({ ERRAND_OUTBOUND_ALLOW: "127.0.0.1", ERRAND_LOG_LEVEL: "debug" });
  try {
    await signIn(page, product);
    await page.goto(`${product.url}/integrations`);
    await expect(page.getByRole("link", { name: "Integrations" })).toHaveAttribute("aria-current", "page");
    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "GitHub" }) });
    await expect(row.getByText("Not connected")).toBeVisible();
    const dialog = page.getByRole("dialog");
    await expect(async () => {
      // The click before this one may have been answered late.
      if (!(await dialog.isVisible())) await row.getByRole("button", { name: "Connect GitHub" }).click();
      await expect(dialog).toBeVisible({ timeout: 1000 });
    }).toPass();
    await dialog.getByLabel("URL").fill(host.baseUrl);
    await dialog.getByLabel("Access token").fill("wrong");
    await dialog.getByLabel("Webhook secret").fill(hostHookSecret);
    expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
    await dialog.getByRole("button", { name: "Connect and test" }).click();
    await expect(row.getByText("GitHub does not accept the secret (401): Bad credentials.")).toBeVisible();
    await row.getByRole("button", { name: "Edit GitHub" }).click();
    await dialog.getByLabel("Access token").fill(hostToken);
    await dialog.getByRole("button", { name: "Save and test" }).click();
    await expect(row.getByText("Active", { exact: true })).toBeVisible();
    await expect(row.getByText("As errand-bot")).toBeVisible();
    await row.getByRole("button", { name: "Test GitHub" }).click();
    await expect(page.getByText("GitHub works").first()).toBeVisible();

    host.serveRepository("team/app", gitFolderOf(makeRepository()));
    host.addPerson("ada", "write");
    const api = await ApiClient.create(product);
    const added = await api.ask("POST", "/repos", { source: `${host.baseUrl}/team/app.git` });
    expect(added.status).toBe(200);
    const hookUrl = new URL(String(await row.getByText("/v1/hooks/").textContent()));
    const event = host.commentEvent({ login: "ada", body: "@errand look\n\n```sh\necho seen > seen.txt\n```" });
    const taken = await fetch(`${product.url}${hookUrl.pathname}`, { method: "POST", ...event });
    expect(taken.status).toBe(202);
    await expect.poll(() => host.comments.length, { timeout: 60_000 }).toBe(1);
    expect(host.comments[0]?.number).toBe(7);
    expect(host.comments[0]?.body).not.toContain("failed");
    expect(host.comments[0]?.body).toContain(`](${product.url}/runs/`);
    const { body: runs } = await api.ask("GET", "/agent/runs");
    const [run] = runs.items as { id: number; source_type: string; status: string }[];
    expect([run?.source_type, run?.status]).toEqual(["GITHUB", "completed"]);
    await page.goto(`${product.url}/runs/${run?.id}`);
    await expect(page.getByRole("article").filter({ hasText: "It is broken" }).first()).toBeVisible();

    const answers: string[] = [];
    for (const path of ["/integrations", "/audit", `/agent/run/${run?.id}/logs`, `/agent/run/${run?.id}/export`]) {
      answers.push(await (await api.fetch(path)).text());
    }
    const places = [
      product.output,
      ...answers,
      ...filesBelow(product.dataDir).map((file) => readFileSync(file, "latin1")),
    ];
    const forms = [hostToken, hostHookSecret].flatMap((secret) => [
      secret,
      Buffer.from(secret).toString("base64").replace(/=+$/, ""),
      Buffer.from(secret).toString("base64url"),
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(secret),
    ]);
    expect(places.some((text) => text.includes("errand-bot"))).toBe(true);
    for (const form of forms) expect(places.filter((text) => text.includes(form)).length, form).toBe(0);
  } finally {
    await product.stop();
    await host.close();
  }
});

test("MCP servers are connected on the page, listed one by one, and disconnected", async ({ page }) => {
  const [tracker, wiki] = await Promise.all([openMcpServer(), openMcpServer()]);
  const product = await Product.start({ ERRAND_OUTBOUND_ALLOW: "127.0.0.1" });
  try {
    await signIn(page, product);
    await page.goto(`${product.url}/settings/integrations`);
    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "MCP servers" }) });
    const dialog = page.getByRole("dialog");
    await expect(async () => {
      if (!(await dialog.isVisible())) await row.getByRole("button", { name: "Connect MCP servers" }).click();
      await expect(dialog).toBeVisible({ timeout: 1000 });
    }).toPass();
    await dialog.getByLabel("Name").fill("my tracker");
    await dialog.getByLabel("URL").fill(tracker.url);
    await dialog.getByLabel("Headers").fill(`Authorization: ${mcpAuthorization}`);
    expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
    await dialog.getByRole("button", { name: "Connect and test" }).click();
    await expect(dialog.getByText(/Name must be 1 to 40 letters, digits/)).toBeVisible();
    await dialog.getByLabel("Name").fill("tracker");
    await dialog.getByRole("button", { name: "Connect and test" }).click();
    await expect(row.getByText("Active", { exact: true })).toBeVisible();
    await expect(row.getByText("2 tools")).toBeVisible();

    // A second one without a header: the first is called again with its stored header.
    await row.getByRole("button", { name: "Edit MCP servers" }).click();
    await expect(dialog.getByText("Saved: Authorization.")).toBeVisible();
    await dialog.getByRole("button", { name: "Add a server" }).click();
    const added = dialog.getByRole("group", { name: "New server" });
    await added.getByLabel("URL").fill(wiki.url);
    // Its name is also the group's.
    await added.getByLabel("Name").fill("wiki");
    await dialog.getByRole("button", { name: "Save and test" }).click();
    await expect(row.getByText("1 of 2 active")).toBeVisible();
    await expect(row.getByRole("listitem").filter({ hasText: "tracker" })).toContainText("2 tools");
    await expect(row.getByText("The server does not accept the headers (401).")).toBeVisible();
    expect(await findings(page, { part: "main" })).toEqual([]);

    await tracker.close();
    await row.getByRole("button", { name: "Test MCP servers" }).click();
    await expect(row.getByText(/^Nothing answers at/)).toBeVisible();
    await row.getByRole("button", { name: "Disconnect MCP servers" }).click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await expect(row.getByText("Not connected")).toBeVisible();
  } finally {
    await product.stop();
    await Promise.all([tracker.close(), wiki.close()]);
  }
});

/** The git folder of a repository, ready to be served over plain HTTP. */
function gitFolderOf(repository: string): string {
  execFileSync("git", ["update-server-info"], { cwd: repository });
  return join(repository, ".git");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

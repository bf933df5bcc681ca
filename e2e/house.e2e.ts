import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./api.ts";
import { inspect, narrow, showIn } from "./look.ts";
import { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, signIn, test } from "./test.ts";

async function finishedRun(api: ApiClient, repositoryId: unknown, step = "echo made > made.txt"): Promise<number> {
  const prompt = `Make it.\n\`\`\`sh\n${step}\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps", repo_id: repositoryId });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  return Number(run.id);
}

test("a run is deleted on its page, and a repository with its runs", async ({ product, signedIn: page }) => {
  const api = await ApiClient.create(product);
  const repository = (await api.ask("POST", "/repos", { source: makeRepository(), name: "to/delete" })).body;
  const [one, other] = [await finishedRun(api, repository.id), await finishedRun(api, repository.id)];
  await page.goto(`${product.url}/runs/${one}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Delete run ${one}?` });
  await inspect(page, "a run to be deleted");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(dialog).toBeHidden();
  // On a phone it is in the menu.
  await showIn(page, narrow);
  await page.getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete run" }).press("Enter");
  await page.waitForURL(/\/runs$/);
  await expect(page.getByText(`Run ${one} deleted`).first()).toBeVisible();
  expect((await api.ask("GET", `/agent/run/${one}`)).status).toBe(404);
  const checkouts = () => readdirSync(join(product.dataDir, "checkouts"));
  await expect.poll(() => checkouts().includes(String(one))).toBe(false);
  expect(checkouts()).toContain(String(other));

  await page.goto(`${product.url}/repositories/${repository.id}`);
  await page.getByRole("button", { name: "Delete repository" }).click();

  const confirm = page.getByRole("dialog", { name: "Delete to/delete?" });
  await confirm.getByRole("button", { name: "Delete repository" }).click();
  await page.waitForURL(/\/repositories$/);
  await expect(page.getByText("to/delete, with 1 run").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "to/delete" })).toBeHidden();
  await expect.poll(() => readdirSync(join(product.dataDir, "mirrors"))).not.toContain(`${repository.id}.git`);
  const { body: audit } = await api.ask("GET", "/audit?act=run.deleted,repository.removed");
  expect((audit.items as { act: string }[]).slice(0, 2).map(({ act }) => act)).toEqual([
    "repository.removed",
    "run.deleted",
  ]);
  expect(JSON.stringify(audit)).not.toContain("Make it");
});

test("the storage page shows disk usage, and what a setting would delete before it is saved", async ({ browser }) => {
  const product = await Product.start();
  const page = await (await browser.newContext()).newPage();
  try {
    await signIn(page, product);
    const api = await ApiClient.create(product);
    const source = makeRepository();
    const repository = (await api.ask("POST", "/repos", { source, name: "team/storage" })).body;
    await finishedRun(api, repository.id, "seq 100000 > large.txt");
    await finishedRun(api, null);
    await expect
      .poll(async () => (await api.ask("GET", "/storage")).body.total_bytes, { timeout: 60_000 })
      .toBeGreaterThan(100_000);
    await page.goto(`${product.url}/settings/storage`);
    await expect(page.getByRole("row", { name: /team\/storage/ })).toContainText("1 run");
    await expect(page.getByRole("row", { name: /No repository/ })).toBeVisible();
    await inspect(page, "storage");
    const days = page.getByLabel("Delete runs after (days)");
    await days.fill("soon");
    await expect(page.getByText("must be a number")).toBeVisible();
    await days.fill("0");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(/must be at least 1|too small|>=1/i)).toBeVisible();
    await days.fill("");
    await page.getByLabel("Keep logs up to (GB)").fill("0.001");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Save these settings?" });
    await expect(dialog).toContainText("No runs will be deleted now.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved", { exact: true })).toBeVisible();
    expect((await api.ask("GET", "/settings")).body.keep_runs_gb).toBe(0.001);
  } finally {
    await page.context().close();
    await product.stop();
  }
});

test("a backup taken during runs is restored elsewhere, with the same pages, branches and people", async ({
  browser,
}) => {
  const product = await Product.start();
  const folder = temporaryFolder("errand backup ");
  const file = join(folder, "errand.tar");
  const api = await ApiClient.create(product);
  const repository = (await api.ask("POST", "/repos", { source: makeRepository(), name: "team/kept" })).body;
  const id = await finishedRun(api, repository.id);
  const { body: before } = await api.ask("GET", `/agent/run/${id}/logs?limit=100`);
  const { body: live } = await api.ask("POST", "/agent/run", {
    prompt: "Wait.\n```sh\nsleep 60\n```",
    agent: "steps",
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${live.id}`)).body.status).toBe("running");
  await product.cli("backup", file);
  await api.ask("POST", `/agent/run/${live.id}/cancel`);
  await product.stop();

  const restored = await Product.start({}, undefined, file);
  const page = await (await browser.newContext()).newPage();
  try {
    const again = await ApiClient.create(restored);
    expect((await again.ask("GET", `/agent/run/${id}/logs?limit=100`)).body).toEqual({
      ...before,
      web_url: expect.any(String),
    });
    await expect.poll(async () => (await again.ask("GET", `/agent/run/${live.id}`)).body.status).toBe("interrupted");
    const mirror = join(restored.dataDir, "mirrors", `${repository.id}.git`);
    const kept = execFileSync("git", ["-C", mirror, "show", `errand/run-${id}:made.txt`], { encoding: "utf8" });
    expect(kept).toBe("made\n");
    await signIn(page, restored);
    await page.goto(`${restored.url}/runs/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Make it.");
    await again.ask("POST", "/agent/run/resume", { agent_run_id: id, prompt: "```sh\ncat made.txt\n```" });
    await expect.poll(async () => (await again.ask("GET", `/agent/run/${id}`)).body.status).toBe("completed");
  } finally {
    await page.context().close();
    await restored.stop();
  }
});

import { join } from "node:path";
import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import type { Product } from "./product.ts";
import { runProgram } from "./program.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

const makefile = "deps:\n\t@echo prepared > ignored\n\nbuild:\n\t@test -e ignored\n\ntest:\n\t@echo broken; exit 4\n";

test("a repository is added, its setup commands are found, edited, accepted and used", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const source = makeRepository({ Makefile: makefile, ".gitignore": "ignored\n" });
  await page.goto(`${product.url}/repositories`);
  await page.getByRole("button", { name: "Add repository" }).first().click();
  await page.getByLabel("Path or URL").fill(source);
  await page.getByRole("dialog").getByRole("button", { name: /^Add/ }).click();
  const row = page.getByRole("list", { name: "Repositories" }).getByRole("listitem").filter({ hasText: source });
  await row.getByRole("link").first().click();
  await page.waitForURL(/\/repositories\/\d+$/);
  const repoId = Number(new URL(page.url()).pathname.split("/").at(-1));
  await expect(page.getByText("None yet. Runs start in a plain checkout.")).toBeVisible();

  // An edit begun before the proposal came stays until it is cancelled.
  const form = page.getByRole("form", { name: "Setup commands" });
  await form.getByRole("button", { name: "Add lint command" }).click();
  await page.keyboard.type("begun before");
  await page.getByRole("button", { name: "Find setup commands" }).click();
  const proposal = page.getByRole("region", { name: "Proposed commands" });
  await expect(proposal.getByText("make deps")).toBeVisible({ timeout: 60_000 });
  await expect(proposal.getByText("Makefile:1", { exact: true })).toBeVisible();
  await expect(proposal.getByText(/test · Failed/)).toBeVisible();
  await expect(page.getByText("Proposed", { exact: true })).toBeVisible();
  expect((await api.ask("GET", `/repos/${repoId}`)).body.setup_status).toBe("proposed");
  await expect(proposal.getByText(/^1 command that failed is left out\./)).toBeVisible();
  await expect(form.getByRole("textbox", { name: "Lint command 1" })).toHaveValue("begun before");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toHaveCount(0);
  await inspect(page, "setup, a proposal");

  await proposal.getByRole("button", { name: "Edit first" }).click();
  await expect(proposal).toHaveCount(0);
  const commands = page.getByRole("region", { name: "Setup commands", exact: true });
  await expect(commands.getByRole("button", { name: /^(Accept|Save)/ })).toHaveCount(1);
  await expect(page.getByRole("textbox", { name: "Test command 1" })).toHaveValue("make test");
  await inspect(page, "setup, a proposal that is edited");
  await form.getByRole("button", { name: "Cancel" }).click();
  await proposal.getByRole("button", { name: "Edit first" }).click();
  const install = page.getByRole("textbox", { name: "Install command 1" });
  await expect(install).toBeFocused();
  await expect(install).toHaveValue("make deps");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Install command 2" })).toBeFocused();
  await page.keyboard.type("echo edited by hand");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  const { body: setup } = await api.ask("GET", `/repos/${repoId}/setup`);
  expect([setup.version, setup.install, setup.build, setup.test]).toEqual([
    1,
    ["make deps", "echo edited by hand"],
    ["make build"],
    ["make test"],
  ]);
  await inspect(page, "setup, an accepted setup");

  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "See.\n```sh\ncat ignored\n```",
    repo_id: repoId,
    agent: "steps",
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  const feed = page.getByRole("feed");
  await expect(feed.getByText("echo edited by hand").first()).toBeVisible({ timeout: 60_000 });
  await expect(feed.getByText("prepared").first()).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();

  await page.goto(`${product.url}/repositories/${repoId}`);
  await expect(page.getByText(/Worked when last used/)).toBeVisible();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("None yet. Runs start in a plain checkout.")).toBeVisible();
});

test("what the setup commands made is kept: the next run starts with it, and it is rebuilt on request", async ({
  signedIn: page,
  product,
}) => {
  test.skip(!(await keepsSetups(product)), "Errand keeps no prepared checkouts on this machine, as `doctor` says.");
  const api = await ApiClient.create(product);
  const source = makeRepository({ Makefile: makefile, ".gitignore": "ignored\n" });
  const { body: repository } = await api.ask("POST", "/repos", { source });
  expect((await api.ask("PUT", `/repos/${repository.id}/setup`, { install: ["make deps"] })).status).toBe(200);
  const feed = page.getByRole("feed");
  const openRun = async () => {
    const prompt = "See.\n```sh\ncat ignored\n```";
    const { body: run } = await api.ask("POST", "/agent/run", { prompt, repo_id: repository.id, agent: "steps" });
    await page.goto(`${product.url}/runs/${run.id}`);
    await expect(feed.getByText("prepared", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("Completed").first()).toBeVisible();
  };
  await openRun();
  await expect(feed.getByText(/^Saved as setup cache/)).toBeVisible();
  await openRun();
  await expect(feed.getByText(/^Reused setup cache [0-9a-f]{12}, \d+\.\d\d s\.$/)).toBeVisible();
  await expect(feed.getByText("make deps")).toHaveCount(0);
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const kept = page.getByRole("region", { name: "Setup cache" });
  await expect(kept.getByText("Ready", { exact: true })).toBeVisible();
  await inspect(page, "setup, what is kept");
  await kept.getByRole("button", { name: "Rebuild" }).click();
  await expect(kept.getByText("Outdated", { exact: true })).toBeVisible();
  await expect(kept.getByRole("button", { name: "Rebuild" })).toHaveCount(0);
  await expect(kept.getByText(/The next run on the default branch rebuilds it\.$/)).toBeVisible();
});

test("a proposal is accepted on the page of its run; a failing setup shows there and on the repository", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", {
    source: makeRepository({ Makefile: "deps:\n\t@test ! -e twice\n", ".gitignore": "ignored\n" }),
  });
  const { body: generate } = await api.ask("POST", "/setup-commands/generate", { repo_id: repository.id });
  await expect
    .poll(async () => (await api.ask("GET", `/agent/run/${generate.agent_run_id}`)).body.status, { timeout: 60_000 })
    .toBe("completed");
  await page.goto(`${product.url}/runs/${generate.agent_run_id}`);
  await page.getByRole("button", { name: "Accept 1 command" }).click();
  await expect.poll(async () => (await api.ask("GET", `/repos/${repository.id}`)).body.setup_status).toBe("ready");
  await page.getByRole("link", { name: "Setup commands of the repository" }).click();
  await expect(page.getByRole("textbox", { name: "Install command 1" })).toHaveValue("make deps");
  await api.ask("PUT", `/repos/${repository.id}/setup`, { install: ["echo no luck; exit 3"] });
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "See.\n```sh\ntrue\n```",
    repo_id: repository.id,
    agent: "steps",
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(
    page
      .getByRole("feed")
      .getByText(/The agent continues, and its prompt says what failed/)
      .first(),
  ).toBeVisible({
    timeout: 60_000,
  });
  await page.goto(`${product.url}/repositories/${repository.id}`);
  await expect(page.getByText("Failed", { exact: true }).first()).toBeVisible();
  await page.goto(`${product.url}/repositories/987654`);
  await expect(page.getByRole("heading", { name: "No such repository" })).toBeVisible();
});

/** Whether the product keeps prepared checkouts on this machine, as it says itself. */
async function keepsSetups({ dataDir }: Product): Promise<boolean> {
  const root = join(import.meta.dirname, "..");
  const words = [join(root, "lib/cli/main.ts"), "doctor"];
  const lines = await runProgram(process.execPath, words, { cwd: root, env: { ERRAND_DATA_DIR: dataDir } });
  return lines.some((line) => line.includes("runs behind the wall can start with the files of an earlier setup"));
}

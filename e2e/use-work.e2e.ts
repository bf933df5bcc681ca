import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import type { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, test } from "./test.ts";

const exec = promisify(execFile);
const write = "Write.\n```sh\nprintf 'hello\\n' > hello.txt; printf '\\000\\001\\377' > blob.bin\n```";

/** A finished run that wrote a text and a binary file. */
async function finishedRun(api: ApiClient, more: object = {}): Promise<Record<string, unknown>> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: write, agent: "steps", ...more });
  const read = async () => (await api.ask("GET", `/agent/run/${run.id}`)).body;
  await expect.poll(async () => (await read()).status).toBe("completed");
  return await read();
}

async function openWork(page: Page, product: Product, runId: unknown): Promise<Locator> {
  await page.goto(`${product.url}/runs/${runId}?tab=changes`);
  const summary = page.getByText("Use this work", { exact: true });
  await summary.focus();
  await page.keyboard.press("Enter");
  return page.getByRole("region", { name: "Changed files" });
}

/** Runs the command that the page shows under a heading, with the token as git's password and in ERRAND_TOKEN. */
async function runShown(shown: Locator, cwd: string, token: string): Promise<void> {
  const command = (await shown.locator("pre").textContent()) ?? "";
  const env = { ...process.env, ERRAND_TOKEN: token, GIT_ASKPASS: "true", GIT_CONFIG_GLOBAL: "/dev/null" };
  const asked = command.replace("://", `://anybody:${token}@`);
  await exec("sh", ["-c", command.startsWith("git ") ? asked : command], { cwd, env });
}

test("the work is fetched by git and applied as a patch with the commands that the page shows", {
  tag: "@short",
}, async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const token = await product.cli("token", "create", "--name", "takes work", "--role", "viewer");
  const source = makeRepository();
  const { body: repository } = await api.ask("POST", "/repos", { source });
  const run = await finishedRun(api, { repo_id: repository.id });
  const work = await openWork(page, product, run.id);

  const fetching = work.getByRole("region", { name: "Fetch the branch" });
  await expect(fetching.locator("pre")).toHaveText(
    `git fetch ${product.url}/git/1/${repository.id}.git errand/run-${run.id}`,
  );
  await runShown(fetching, source, token);
  const shown = await exec("git", ["show", "FETCH_HEAD:hello.txt"], { cwd: source });
  expect(shown.stdout).toBe("hello\n");

  await runShown(work.getByRole("region", { name: "Apply the changes as a patch" }), source, token);
  expect(readFileSync(join(source, "blob.bin"))).toEqual(Buffer.from([0, 1, 255]));

  await inspect(page, "use this work");
});

test("the work of a run without a repository is cloned", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const token = await product.cli("token", "create", "--name", "clones work", "--role", "viewer");
  const run = await finishedRun(api);
  const work = await openWork(page, product, run.id);
  const folder = temporaryFolder("errand clone ");
  await runShown(work.getByRole("region", { name: "Clone the repository" }), folder, token);
  expect(readFileSync(join(folder, `run-${run.id}`, "hello.txt"), "utf8")).toBe("hello\n");
});

test("the branch is pushed to the repository on request, and a person's commits are not overwritten", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const source = makeRepository();
  const git = (...args: string[]) =>
    exec("git", ["-c", "user.name=Ada", "-c", "user.email=ada@x", ...args], { cwd: source });
  const { body: repository } = await api.ask("POST", "/repos", { source });
  const run = await finishedRun(api, { repo_id: repository.id });
  const branch = `errand/run-${run.id}`;
  expect((await git("branch", "--list", branch)).stdout, "nothing is pushed without a click").toBe("");

  const work = await openWork(page, product, run.id);
  const pushing = work.getByRole("region", { name: "Push the branch" });
  await pushing.getByRole("button", { name: "Push" }).press("Enter");
  await expect(pushing.getByRole("status")).toContainText(/^Pushed [0-9a-f]{10} to /);
  expect((await git("show", `${branch}:hello.txt`)).stdout).toBe("hello\n");
  await openWork(page, product, run.id);
  await expect(pushing.getByRole("status"), "after a reload").toContainText(/^Pushed [0-9a-f]{10} to /);

  await git("commit-tree", "-p", branch, "-m", "mine", `${branch}^{tree}`).then(({ stdout }) =>
    git("update-ref", `refs/heads/${branch}`, stdout.trim()),
  );
  await pushing.getByRole("button", { name: "Push" }).click();
  await expect(pushing.getByRole("status")).toContainText(
    "The branch in the remote repository has commits that this run did not make.",
  );
  expect((await git("log", "-1", "--format=%s", branch)).stdout.trim()).toBe("mine");
  await inspect(page, "a pushed branch");
});

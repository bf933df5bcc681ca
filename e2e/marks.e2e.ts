import { execFileSync } from "node:child_process";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

const title = "Fix \u202Egnp.exe\u2066 and p\u0430ypal";
const marked = "Fix ⟦U+202E⟧gnp.exe⟦U+2066⟧ and p⟦U+0430⟧ypal";
const hides = /[\u202A-\u202E\u2066-\u2069\u0430]/;

test("a title, repository and branch read as what they are, in every list, in the tab and on a shared page", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const folder = makeRepository(undefined, "up \u202Egnp ");
  execFileSync("git", ["branch", "fea\u202Ehctab"], { cwd: folder });
  const { body: repository } = await api.ask("POST", "/repos", { source: folder });
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: title, agent: "external" });
  const entry = {
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: "rm\u00A0-rf p\u0430y" },
    tool_output: {},
  };
  await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [entry] });
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  const { body: share } = await api.ask("POST", `/agent/run/${run.id}/shares`, {});
  for (const address of ["/runs", "/search?q=-rf", `/runs/${run.id}`, String(share.url)]) {
    await page.goto(address.startsWith("http") ? address : `${product.url}${address}`);
    await expect(page.getByText(marked).first(), address).toBeVisible();
    expect(await page.locator("body").innerText()).not.toMatch(hides);
    expect(await page.title()).not.toMatch(hides);
  }
  await expect(page).toHaveTitle(new RegExp(marked.replaceAll("+", "\\+")));
  await expect(page.getByText("rm⟦U+00A0⟧-rf p⟦U+0430⟧y").first()).toBeVisible();
  await page.goto(`${product.url}/repositories/${repository.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("⟦U+202E⟧gnp");
  await page.goto(`${product.url}/repositories`);
  await expect(page.getByText("⟦U+202E⟧gnp").first()).toBeVisible();
  await page.goto(`${product.url}/runs/new?repo_id=${repository.id}`);
  await expect(page.getByText("⟦U+202E⟧gnp").first()).toBeVisible();
  expect(await page.locator("body").innerText()).not.toMatch(hides);
});

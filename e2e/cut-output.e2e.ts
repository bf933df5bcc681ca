import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("of an output that is cut no number of lines is claimed, its one button shows all, and progress needs no cut", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Long output", agent: "external" });
  const lines = Array.from({ length: 30_000 }, (_, line) => `line ${line} of many`).join("\n");
  const progress = Array.from({ length: 20_000 }, (_, at) => `\u001B[2K\r${at}%`).join("");
  const action = (output: string) => ({
    ...{ message_type: "ACTION", tool_name: "Bash", tool_input: { command: "make" } },
    tool_output: { output },
  });
  const entries = [action(lines), action(`${progress}\nend\n`)];
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  await page.goto(`${product.url}/runs/${run.id}?entry=1`);
  const first = page.locator('article[data-seq="1"][tabindex]');
  const all = first.getByRole("button", { name: "Show all", exact: true }).first();
  await expect(all).toBeVisible();
  await expect(first.getByRole("button", { name: /Show all [\d,]+ lines/ })).toHaveCount(0);
  await all.click();
  await expect(first.getByText("of 30,000", { exact: false }).first()).toBeVisible();
  await expect(first.getByText("shortened here")).toHaveCount(0);

  const second = page.locator('article[data-seq="2"][tabindex]');
  await page.goto(`${product.url}/runs/${run.id}?entry=2`);
  await expect(second.getByText("19999%")).toBeVisible();
  await expect(second.getByRole("button", { name: /^Show/ })).toHaveCount(0);
});

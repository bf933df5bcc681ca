import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import { expect, test } from "./test.ts";

const longName = `${"a-module-whose-name-nobody-wanted-to-shorten-".repeat(4)}.ts`.slice(-130);

test("many changed files, one with a long name: the header stays in place, and the page fits the window", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const command = `for n in $(seq 1 40); do seq 1 60 > file-$n.txt; done; echo 1 > ${longName}`;
  const prompt = `Write.\n\`\`\`sh\n${command}\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");

  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const files = page.getByRole("region", { name: "Changed files" });
  await expect(files.getByRole("heading", { name: "41 files changed" })).toBeVisible();
  await page.getByRole("button", { name: "file-40.txt" }).click();
  await files.getByRole("link", { name: "file-40.txt" }).click();
  await expect(page.getByRole("region", { name: "file-40.txt" })).toBeInViewport();
  const tab = page.getByRole("navigation", { name: "Views of the run" });
  await expect(tab).toBeInViewport({ ratio: 1 });
  const tall = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(await tall(), "only the list of changes is scrolled").toBeLessThanOrEqual(0);

  await page.setViewportSize({ width: 375, height: 812 });
  await expect(page.getByRole("button", { name: longName })).toBeAttached();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await wide(), "as wide as the window").toBeLessThanOrEqual(0);
  for (const name of [longName, "file-1.txt"]) {
    const box = await page.getByRole("region", { name, exact: true }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(375);
  }
  await expect(page.getByRole("navigation", { name: "Main" }).last()).toBeInViewport({ ratio: 1 });
});

test("a file's header stays in sight, and its tick closes it, survives a reload and ends with another change", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const write = (from: number) => `Write.\n\`\`\`sh\nseq ${from} 150 > long.txt; seq 1 40 > short.txt\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: write(1), agent: "steps" });
  const ended = (turns: number) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  await ended(1);

  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const long = page.getByRole("region", { name: "long.txt" });
  const header = long.getByRole("button", { name: "long.txt" });
  await long.hover();
  await page.mouse.wheel(0, 1500);
  await expect(page.getByRole("heading", { name: "2 files changed" })).not.toBeInViewport();
  await expect(header, "it stays while its diff is read").toBeInViewport({ ratio: 1 });

  const tick = long.getByRole("checkbox", { name: "Viewed: long.txt" });
  await tick.focus();
  await page.keyboard.press("Space");
  await expect(header).toHaveAttribute("aria-expanded", "false");
  await expect(header, "the place is kept").toBeInViewport({ ratio: 1 });
  const summary = page.getByRole("region", { name: "Changed files" });
  await expect(summary).toContainText("1 viewed");
  await page.getByRole("checkbox", { name: "Viewed: short.txt" }).click();
  await expect(summary).toContainText("all viewed");

  await page.reload();
  await expect(tick).toBeChecked();
  await expect(header).toHaveAttribute("aria-expanded", "false");
  await header.click();
  await expect(header).toHaveAttribute("aria-expanded", "true");

  await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: write(2) });
  await ended(2);
  await expect(tick).not.toBeChecked();
  await expect(summary).toContainText("1 viewed");
  await inspect(page, "many changed files");
});

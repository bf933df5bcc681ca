import { ApiClient } from "./api.ts";
import { Product } from "./product.ts";
import { expect, signIn, test } from "./test.ts";

test("when the server is gone there is a banner, live figures stop, and a followed link opens once it is back", async ({
  page,
}) => {
  const product = await Product.start();
  try {
    const api = await ApiClient.create(product);
    const prompt = "Wait\n```sh\nsleep 600\n```";
    const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("running");
    await signIn(page, product);
    const row = page.getByRole("link", { name: new RegExp(`^Running #${run.id} Wait`) });
    await expect(row).toBeVisible();

    const processes = await product.processes();
    const pidOf = (wanted: string) => processes.find(({ name }) => name === wanted)?.pid ?? 0;
    // A stopped supervisor restarts nothing.
    process.kill(pidOf("supervisor"), "SIGSTOP");
    process.kill(pidOf("web"), "SIGKILL");
    let refused = 0;
    page.on("requestfailed", () => {
      refused += 1;
    });
    const asked = page.waitForEvent("requestfailed", (request) => request.url().includes(`/runs/${run.id}?`));
    await row.click();
    await asked;
    const told = page.getByText("Errand cannot be reached.");
    await expect(told).toBeVisible();
    const figures = await row.innerText();
    const before = refused;
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(before + 2);
    expect(await row.innerText()).toBe(figures);
    await expect(page).toHaveURL(/\/runs$/);

    process.kill(pidOf("supervisor"), "SIGCONT");
    await expect(page).toHaveURL(new RegExp(`/runs/${run.id}$`), { timeout: 60_000 });
    await expect(page.getByRole("heading", { name: "Wait" })).toBeVisible();
    await expect(told).toHaveCount(0);

    // One that hangs takes connections, and does not answer.
    const restarted = (await product.processes()).find(({ name }) => name === "web")?.pid ?? 0;
    process.kill(restarted, "SIGSTOP");
    await expect(told).toBeVisible();
    process.kill(restarted, "SIGCONT");
    await expect(told).toHaveCount(0);
  } finally {
    await product.stop();
  }
});

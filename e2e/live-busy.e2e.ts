import { setTimeout as pause } from "node:timers/promises";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("on a busy machine a live run has its map, syntax colors and clock while steps keep coming", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Report", agent: "external" });
  let count = 0;
  const report = async (steps: number) => {
    const entries = Array.from({ length: steps }, () => stepOf(++count));
    const { status } = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
    expect(status).toBe(200);
  };
  await report(100);

  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  let isLive = true;
  const reporting = (async () => {
    // As often as the limit for reports allows.
    for (; isLive; await pause(150)) await report(2);
  })();
  try {
    // At the end a step is in view for only a third of a second; an earlier one stays in view.
    await page.goto(`${product.url}/runs/${run.id}?entry=3`);
    const map = page.getByRole("slider", { name: "Position in the run" });
    await expect(map.locator("canvas")).toBeVisible({ timeout: 60_000 });
    // Coloring must not starve while steps keep coming; how soon it happens depends on the machine's load.
    const colored = page.locator("[class*='text-(--code-light)']").filter({ visible: true });
    await expect(colored.first()).toBeVisible({ timeout: 60_000 });
    const duration = page
      .locator("header time, header span")
      .filter({ hasText: /^\d+s$/ })
      .first();
    const before = await duration.innerText();
    await expect(duration).not.toHaveText(before, { timeout: 60_000 });
  } finally {
    isLive = false;
    await reporting;
  }
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
});

function stepOf(number: number): object {
  return {
    message_type: "ACTION",
    thought: `Step ${number}`,
    tool_name: "Write",
    tool_input: { file_path: `src/${number}.ts`, content: `export const step${number} = "${number}";\n`.repeat(8) },
    tool_output: { status: "completed", output: "Applied." },
  };
}

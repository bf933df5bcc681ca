import { join } from "node:path";
import { chromium } from "@playwright/test";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import config from "../playwright.config.ts";
import { print, quantile } from "./report.ts";

/** Time from when an agent sends the end of a tool call to when its card is on the page, on the built product. */
export async function benchLive(): Promise<void> {
  const agent = join(import.meta.dirname, "stamping-agent.ts");
  const command = [process.execPath, agent];
  const product = await Product.start({}, { stamping: { command, title: "Stamping agent" } });
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const api = await ApiClient.create(product);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(product.signInLink);
    await page.waitForURL(/\/runs/);

    const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Stamp", agent: "stamping" });
    await page.goto(`${product.url}/runs/${run.id}`);
    const latencies = await page.evaluate(watchStamps);
    if (latencies.length === 0) throw new Error("No card came live.");
    print(`Live: from the agent's update to the card in the browser (${latencies.length} cards, 20 a second)`, [
      ["p50", `${quantile(latencies, 0.5).toFixed(0)} ms`],
      ["p95", `${quantile(latencies, 0.95).toFixed(0)} ms`],
      ["max", `${Math.max(...latencies).toFixed(0)} ms`],
    ]);
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** Runs in the page: notes when each stamp is first seen in a painted card, until none has come for 3 s. */
function watchStamps(): Promise<number[]> {
  return new Promise((resolve) => {
    const seen = new Map<string, number>();
    const first = Date.now();
    let last = first;
    const look = () => {
      const now = Date.now();
      for (const card of document.querySelectorAll("article")) {
        const stamp = /stamp:(\d+)/.exec(card.textContent ?? "")?.[1];
        // Older cards were loaded, not received live.
        if (stamp === undefined || seen.has(stamp) || Number(stamp) < first) continue;
        seen.set(stamp, now - Number(stamp));
        last = now;
      }
      if (now - last > 3000) resolve([...seen.values()]);
      else requestAnimationFrame(look);
    };
    look();
  });
}

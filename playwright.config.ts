import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  outputDir: "test-results",
  // Two cores: more browsers at once make the journeys slower, not the suite faster.
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // In CI a journey that fails has a second try, and is listed as flaky: a fault to be mended, but no reason to lose a day's work.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 300_000,
  // Unit tests run beside the journeys: what takes a second by itself takes many there.
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    // Recording each journey takes as long again as the journey: `--trace on` does it for one that is looked into.
    screenshot: "only-on-failure",
    launchOptions: {
      ...(process.env.ERRAND_CHROMIUM === undefined ? {} : { executablePath: process.env.ERRAND_CHROMIUM }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});

import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { test as base } from "@playwright/test";
import { followEntries, quickStart, readAllEntries } from "#components/docs/guide-samples.ts";
import { requestSamples, sampleRequest } from "#components/docs/request-samples.ts";
import type { SampleLanguage, Samples } from "#components/docs/samples.ts";
import { operations } from "#lib/contract/operations.ts";
import { ApiClient } from "./api.ts";
import { Product } from "./product.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect } from "./test.ts";

/** The programs that run samples as a reader would: from a file, with the token in the environment. */
const programs: Record<SampleLanguage, { program: string; extension: string }> = {
  curl: { program: "sh", extension: "sh" },
  typescript: { program: process.execPath, extension: "mts" },
  python: { program: "python3", extension: "py" },
};
const needs: Record<SampleLanguage, string> = { curl: "curl", typescript: process.execPath, python: "python3" };

/** A separate product, whose first repository and first run are those in the samples. */
const test = base.extend<object, { shown: { product: Product; api: ApiClient; token: string; folder: string } }>({
  shown: [
    async ({ browserName: _browserName }, use) => {
      const product = await Product.start();
      const api = await ApiClient.create(product);
      // A new product has the repository it runs from, which the samples name. The samples name no agent.
      const { body: repository } = await api.ask("GET", "/repos/1");
      expect(repository.id).toBe(1);
      const { status } = await api.ask("PATCH", "/settings", { default_agent: "steps" });
      expect(status).toBe(200);
      const token = await product.cli("token", "create", "--name", "samples");
      await use({ product, api, token, folder: temporaryFolder("errand-samples-") });
      await product.stop();
    },
    { scope: "worker" },
  ],
});

type Shown = { product: Product; token: string; folder: string };

/** Replaces the samples' prompts, for which the built-in agent would run the tests of this repository. */
const quickPrompt = "Look.\\n```sh\\ntrue\\n```";

/** Runs a sample. Returns its output, or throws with its error output if it fails. */
async function run({ token, folder }: Shown, language: SampleLanguage, samples: Samples): Promise<string> {
  const { program, extension } = programs[language];
  const file = join(folder, `sample.${extension}`);
  await writeFile(file, samples[language].replaceAll(/Fix the failing test|Now write a test for it/g, quickPrompt));
  // Playwright asks the programs that it starts for colors.
  const env = { ...process.env, ERRAND_TOKEN: token, PYTHONIOENCODING: "utf-8", FORCE_COLOR: "0" };
  const { stdout } = await promisify(execFile)(program, [file], { env, timeout: 60_000 });
  return stdout;
}

function samplesOf(id: string, { product }: Shown): Samples {
  const operation = operations.find((known) => known.id === id);
  if (operation === undefined) throw new Error(`${id} is no operation.`);
  return requestSamples(sampleRequest(operation, product.url, 1));
}

/** The output of a sample as JSON; Python prints its own notation. */
function printed(text: string, language: SampleLanguage): string {
  return language === "curl" ? JSON.stringify(JSON.parse(text)) : text;
}

for (const language of ["curl", "typescript", "python"] as const) {
  const isThere = spawnSync(needs[language], ["--version"]).status === 0;

  test(`the ${language} samples start, read, resume and follow a run of the built product`, async ({ shown }) => {
    test.skip(!isThere, `${needs[language]} is not on this machine`);
    const ended = async () => (await shown.api.ask("GET", "/agent/run/1")).body.status;

    expect(printed(await run(shown, language, samplesOf("createRun", shown)), language)).toMatch(/prompt.*Look\./s);
    await expect.poll(ended).toBe("completed");
    expect(printed(await run(shown, language, samplesOf("getRun", shown)), language)).toMatch(/status\W+completed/);
    expect(printed(await run(shown, language, samplesOf("getLogs", shown)), language)).toMatch(
      /message_type\W+USER_MESSAGE/,
    );
    expect(printed(await run(shown, language, samplesOf("listRuns", shown)), language)).toMatch(/items\W+/);
    expect(await run(shown, language, samplesOf("getDiff", shown))).toMatch(/^\s*$/);

    const before = Number((await shown.api.ask("GET", "/agent/run/1")).body.turns);
    expect(printed(await run(shown, language, samplesOf("resumeRun", shown)), language)).toMatch(
      new RegExp(`\\bturns\\W+${before + 1}\\b`),
    );
    const stream = await run(shown, language, samplesOf("streamLogs", shown));
    expect(stream).toMatch(/^event: entry$/m);
    expect(stream).toMatch(/^event: end$/m);
    await expect.poll(ended).toBe("completed");
  });

  test(`the ${language} programs of the guide work as described`, async ({ shown }) => {
    test.skip(!isThere, `${needs[language]} is not on this machine`);
    const address = `${shown.product.url}/v1/organizations/1`;
    const started = await run(shown, language, quickStart(address));
    expect(started).toMatch(/^event: end$/m);
    expect(started).toMatch(language === "curl" ? /"status":"completed"/ : /^completed /m);

    const total = Number((await shown.api.ask("GET", "/agent/run/1")).body.total_logs);
    expect(total).toBeGreaterThan(1);
    const read = await run(shown, language, readAllEntries(address));
    if (language === "curl") expect(read).toContain(`"total_logs":${total}`);
    else expect(read.trim()).toBe(`${total} entries`);

    const followed = await run(shown, language, followEntries(address));
    if (language === "curl") expect(followed.match(/^id: \d+$/gm)).toHaveLength(total + total - 2);
    else expect(followed.match(/^\d+ [A-Z_]+$/gm)).toHaveLength(total);
  });
}

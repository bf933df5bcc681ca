import type { Page } from "@playwright/test";
import { CodeHost, hostHookSecret, hostToken } from "#lib/host/code-host.fixture.ts";
import { ApiClient } from "./api.ts";
import { Product } from "./product.ts";
import { test as base, expect } from "./test.ts";

/** The repository of the stand-in that the product works on. */
export const fullName = "team/app";

/** A product connected to a stand-in for GitHub, with one of its repositories. */
type Connected = {
  host: CodeHost;
  product: Product;
  api: ApiClient;
  repoId: number;
  /** Delivers the host's events since the last call. */
  tellHost: () => Promise<void>;
  /** Delivers a comment on the only pull request. */
  comment: (login: string, body: string) => Promise<void>;
  /** A run that wrote "two", and whose pull request waits for a check that never ends; returns its id. */
  waitingPull: (values: { draft: boolean }) => Promise<number>;
};

export const test = base.extend<{ connected: Connected }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  connected: async ({}, use) => {
    const host = await CodeHost.open("github");
    const product = await Product.start();
    try {
      await use(await connect(host, product));
    } finally {
      await product.stop();
      await host.close();
    }
  },
});

async function connect(host: CodeHost, product: Product): Promise<Connected> {
  const api = await ApiClient.create(product);
  const secrets = { base_url: host.baseUrl, token: hostToken, hook_secret: hostHookSecret };
  const { status, body } = await api.ask("PUT", "/integrations/github", secrets);
  expect([status, body.active]).toEqual([200, true]);
  const source = await host.createRepository(fullName, { "a.txt": "one\n" });
  const { status: added, body: repository } = await api.ask("POST", "/repos", { source });
  expect(added, JSON.stringify(repository)).toBe(200);
  const repoId = Number(repository.id);
  const hook = new URL(String((body.metadata as { hook_url: string }).hook_url));
  const deliver = (event: { headers: Record<string, string>; body: string }) =>
    fetch(`${product.url}${hook.pathname}`, { method: "POST", ...event });
  return {
    ...{ host, product, api, repoId },
    tellHost: async () => {
      for (const event of host.takeEvents()) await deliver(event);
    },
    comment: async (login, text) => {
      const number = host.pullsOf(fullName)[0]?.number ?? 0;
      const event = host.commentEvent({ login, body: text, thread: { repository: fullName, subject: "pull", number } });
      expect((await deliver(event)).status).toBe(202);
    },
    waitingPull: async (values) => {
      host.onPush = ({ after }) => {
        if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
      };
      const runId = await endedRun(api, writes("two"), repoId);
      expect((await api.ask("POST", `/agent/run/${runId}/pull-request`, values)).status).toBe(200);
      await expect
        .poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.pull_request)
        .toMatchObject({ stage: "checking" });
      return runId;
    },
  };
}

/** A prompt to the steps agent, which writes the text to a.txt. */
export const writes = (text: string) => `Write ${text}.\n\`\`\`sh\necho ${text} > a.txt\n\`\`\``;

/** Starts a run and waits for its end; returns its id. */
export async function endedRun(api: ApiClient, prompt: string, repoId: number): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps", repo_id: repoId });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  return Number(run.id);
}

/** What the header of a run's page says of its pull request. */
export const fact = (page: Page) => page.locator("header").getByText("Pull request:").locator("..");

import type { Browser, BrowserContext } from "@playwright/test";
import type { ApiClient } from "./api.ts";
import { expect } from "./test.ts";

/** A signed-out browser that records all its traffic. */
export async function openElsewhere(browser: Browser) {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const reader = await context.newPage();
  const paths: string[] = [];
  const read: Promise<string>[] = [];
  context.on("request", (request) => paths.push(new URL(request.url()).pathname));
  context.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    // An event stream ends with its page.
    if (/json|html|text\/plain|x-component/.test(type)) read.push(response.text().catch(() => ""));
  });
  return { context, reader, requests: () => paths, bodies: () => Promise.all(read) };
}

/** A run of another system, with what the journeys of share links do with it. */
export async function externalRun(api: ApiClient, prompt: string) {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  return {
    id: Number(run.id),
    append: async (entries: object[]) => {
      expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
    },
    share: async (choice: object) => {
      const { status, body } = await api.ask("POST", `/agent/run/${run.id}/shares`, choice);
      expect(status).toBe(200);
      return { url: String(body.url), token: String(body.token) };
    },
  };
}

/** An entry of a command. */
export function action(command: string, output: string): object {
  return {
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command },
    tool_output: { status: "completed", exit_code: 0, output },
  };
}

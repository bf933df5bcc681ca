import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpAuthorization, openMcpServer } from "#lib/host/mcp-server.fixture.ts";
import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import { Product } from "./product.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, signIn, test } from "./test.ts";

test("each agent is listed with its capabilities and missing requirements; testing one starts a linked run", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await page.goto(`${product.url}/settings/agents`);
  const steps = page.getByRole("listitem", { name: "Built-in steps (no model)" });
  await expect(steps.getByText("Ready", { exact: true })).toBeVisible();
  const { items } = (await api.ask("GET", "/agents")).body as {
    items: { title: string; state: string; install: string }[];
  };
  for (const { title, install } of items.filter(({ state }) => state === "not_installed")) {
    const item = page.getByRole("listitem", { name: title });
    await expect(item.getByText("Not installed", { exact: true })).toBeVisible();
    await expect(item.getByText(install, { exact: true })).toBeVisible();
    await expect(item.getByRole("button", { name: "Test" })).toHaveCount(0);
  }
  await inspect(page, "agents, list", { seriousOnly: true });
  await steps.getByRole("button", { name: "Test" }).click();
  await expect(steps.getByText("Completed")).toBeVisible({ timeout: 60_000 });
  await steps.getByRole("link", { name: /^Run \d+$/ }).click();
  await expect(page).toHaveURL(/\/runs\/\d+$/);
});

const root = join(import.meta.dirname, "..");
const scenario = { told: ["review", "init"], models: "config", modes: ["ask", "code"], images: true, mcpHttp: true };
const scripted = [
  join(root, "node_modules", ".bin", "node"),
  join(root, "lib", "agents", "acp", "scripted-agent.fixture.ts"),
  JSON.stringify(scenario),
];

test("an agent's announced choices are shown and offered to a new run, and its silence is shown while it retries", async ({
  browser,
}) => {
  const outbound = { ERRAND_OUTBOUND_ALLOW: "127.0.0.1" };
  const product = await Product.start(outbound, { scripted: { title: "Scripted", command: scripted } });
  const [tracker, wiki] = await Promise.all([openMcpServer(), openMcpServer()]);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await signIn(page, product);
    await page.goto(`${product.url}/settings/agents`);
    const item = page.getByRole("listitem", { name: "Scripted" });
    await expect(item.getByText("2 commands")).toBeVisible({ timeout: 60_000 });
    await expect(item.getByText("Default", { exact: true })).toBeVisible();
    for (const summary of ["2 models", "2 modes", "2 commands"]) await item.getByText(summary).click();
    await expect(item.getByText("does review")).toBeVisible();
    await inspect(page, "agents, announced", { seriousOnly: true });

    const api = await ApiClient.create(product);
    await item.getByRole("combobox", { name: "Default mode of Scripted" }).click();
    await page.getByRole("option", { name: "code" }).click();
    await expect.poll(async () => (await api.ask("GET", "/settings")).body.default_modes).toEqual({ scripted: "code" });
    const headers = { Authorization: mcpAuthorization };
    const servers = [
      { name: "tracker", url: tracker.url, headers },
      { name: "wiki", url: wiki.url, headers },
    ];
    expect((await api.ask("PUT", "/integrations/mcp", { servers })).body).toMatchObject({ active: true });

    await page.goto(`${product.url}/runs/new`);
    const prompt = page.getByRole("textbox", { name: "Prompt" });
    await prompt.fill("the last commit");
    await page.getByRole("combobox", { name: "Scripted commands" }).click();
    await page.getByRole("option", { name: "/review" }).click();
    await expect(prompt).toHaveValue("/review the last commit");
    await expect(prompt).toBeFocused();
    await inspect(page, "agents, new-run", { seriousOnly: true });

    const mode = page.getByRole("combobox", { name: "Agent mode" });
    await expect(mode).toContainText("The organization's default (code)");
    await mode.click();
    await page.getByRole("option", { name: "code", exact: true }).click();
    const given = page.getByRole("group", { name: "MCP servers" });
    await given.getByRole("checkbox", { name: "wiki" }).focus();
    await page.keyboard.press("Space");
    await expect(given.getByRole("checkbox", { name: "wiki" })).not.toBeChecked();
    await expect(given.getByRole("checkbox", { name: "tracker" })).toBeChecked();
    await expect(page.getByText('"mcp_server_names"')).toBeVisible();
    await page.getByRole("button", { name: /^Start/ }).click();
    await expect(page.getByText("Completed").first()).toBeVisible({ timeout: 60_000 });
    const path = `/agent/run/${new URL(page.url()).pathname.split("/").at(-1)}`;
    const { body: started } = await api.ask("GET", path);
    expect([started.mode, started.prompt]).toEqual(["code", "/review the last commit"]);
    const { body: log } = await api.ask("GET", `${path}/logs?limit=1`);
    expect(log.logs).toMatchObject([{ tool_input: { mcp_servers: ["tracker"] } }]);
    const next = page.getByRole("textbox", { name: "Continue the run" });
    await next.fill("the one before");
    await page.getByRole("combobox", { name: "Scripted commands" }).click();
    await page.getByRole("option", { name: "/review" }).click();
    await expect(next).toHaveValue("/review the one before");
    await expect(next).toBeFocused();
    await inspect(page, "agents, composer", { seriousOnly: true });

    const { body: refused } = await api.ask("POST", "/agent/run", { agent: "scripted", prompt: "REFUSE" });
    await page.goto(`${product.url}/runs/${refused.id}`);
    await expect(page.getByText("Scripted is not signed in, or its key does not work").first()).toBeVisible({
      timeout: 60_000,
    });
    await inspect(page, "agents, sign-in", { seriousOnly: true });
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${refused.id}`)).body.turns).toBe(2);
    await expect(page.getByText("Turn 2", { exact: true }).first()).toBeVisible({ timeout: 60_000 });

    const { body: run } = await api.ask("POST", "/agent/run", { agent: "scripted", prompt: "COMPLAIN" });
    await page.goto(`${product.url}/runs/${run.id}`);
    await expect(page.getByText("The agent has been silent for")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("retrying: 500 from the model")).toBeVisible();
    await inspect(page, "agents, silent", { seriousOnly: true });
    await api.ask("POST", `/agent/run/${run.id}/cancel`);
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("cancelled");

    // The page may know of the new default before the answer to the button, which is gone then.
    await page.goto(`${product.url}/settings/agents`);
    const known = Promise.withResolvers<void>();
    await page.route("**/settings", async (route) => {
      const response = await route.fetch();
      await known.promise;
      await route.fulfill({ response });
    });
    const makeDefault = item.getByRole("button", { name: "Make default" });
    await makeDefault.press("Enter");
    await expect(makeDefault).toHaveCount(0);
    known.resolve();
    await expect(page.getByText("Scripted is the default", { exact: true })).toBeVisible();
  } finally {
    await context.close();
    await product.stop();
    await Promise.all([tracker.close(), wiki.close()]);
  }
});

test("an agent's own sign-in, default model, environment and the entry for agents.json are on the page, and an invalid file is told", async ({
  browser,
}) => {
  const folder = temporaryFolder("errand-sign-in");
  const signInFile = join(folder, "sign-in");
  const command = (scenario: object) => [...scripted.slice(0, 2), JSON.stringify(scenario)];
  const product = await Product.start(
    {},
    {
      scripted: { title: "Scripted", command: command({ account: "ok", signInFile, models: "config" }) },
      mute: { title: "Mute", command: command({ account: "refused", status: ["none", "Not logged in"] }) },
    },
  );
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await signIn(page, product);
    await page.goto(`${product.url}/settings/agents`);
    const item = page.getByRole("listitem", { name: "Scripted" });
    await expect(item.getByText("Needs sign-in", { exact: true })).toBeVisible({ timeout: 60_000 });
    await item.getByRole("button", { name: "Sign in with Scripted" }).focus();
    await page.keyboard.press("Enter");
    await expect(item.getByText("Ready", { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(item.getByText("The agent reports that it is signed in")).toBeVisible();
    await expect(item.getByRole("button", { name: "Sign in with Scripted" })).toHaveCount(0);

    const mute = page.getByRole("listitem", { name: "Mute" });
    await mute.getByRole("button", { name: "Sign in with Scripted" }).click();
    await expect(mute.getByText("Sign-in failed: The account has no license")).toBeVisible({ timeout: 60_000 });

    await item.getByRole("combobox", { name: "Default model of Scripted" }).click();
    await page.getByRole("option", { name: "LARGE" }).click();
    const api = await ApiClient.create(product);
    await expect
      .poll(async () => (await api.ask("GET", "/settings")).body.default_models)
      .toEqual({ scripted: "large" });
    const { body: run } = await api.ask("POST", "/agent/run", { agent: "scripted", prompt: "UNCOUNTED" });
    expect(run.model).toBe("large");

    await item.getByText(/^\d+ variables?$/).click();
    await expect(item.getByText("PATH", { exact: true })).toBeVisible();
    await page.getByRole("textbox", { name: "ID" }).fill("mine");
    await expect(page.getByText('"mine": {')).toBeVisible();
    await inspect(page, "agents, sign-in and entry", { seriousOnly: true });

    await page.goto(`${product.url}/runs/${run.id}`);
    await expect(page.getByText("Usage not reported")).toBeVisible({ timeout: 60_000 });
    const facts = page.getByRole("complementary", { name: "Details of the run" });
    await expect(facts.getByText("Tokens not reported")).toBeVisible();
    await expect(facts.getByText("Cost not reported")).toBeVisible();
    await inspect(page, "agents, not reported", { seriousOnly: true });

    const { body: refused } = await api.ask("POST", "/agent/run", { agent: "scripted", prompt: "REFUSE" });
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${refused.id}`)).body.status).toBe("failed");
    writeFileSync(join(product.dataDir, "agents.json"), "{");
    await page.goto(`${product.url}/settings/agents`);
    await expect(item.getByText("Needs sign-in", { exact: true })).toBeVisible();
    await expect(page.getByText("agents.json is not used")).toBeVisible({ timeout: 60_000 });
    await inspect(page, "agents, invalid file", { seriousOnly: true });
  } finally {
    await context.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

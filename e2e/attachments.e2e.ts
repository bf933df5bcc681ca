import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import { expect, test } from "./test.ts";

type Given = { name: string; mimeType: string; text?: string; bytes?: number[] };

const notes: Given = {
  name: "notes.md",
  mimeType: "text/markdown",
  text: "# Found\n\nThe clock is **an hour** late.\n",
};
const program: Given = { name: "program", mimeType: "", bytes: [0x7f, 0, 0x45] };
const long: Given = {
  name: "build.log",
  mimeType: "text/plain",
  text: Array.from({ length: 400 }, (_, line) => `line ${line} of the build`).join("\n"),
};
const step = (command: string) => `\`\`\`sh\n${command}\n\`\`\``;

/** Puts files into a field as a person does: drops them on it, or pastes them. */
async function give(field: Locator, how: "drop" | "paste", files: Given[]): Promise<void> {
  await field.evaluate(
    (element, [event, given]) => {
      const data = new DataTransfer();
      for (const { name, mimeType, text, bytes } of given) {
        data.items.add(
          new File([bytes === undefined ? (text ?? "") : new Uint8Array(bytes)], name, { type: mimeType }),
        );
      }
      const more = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        event === "drop"
          ? new DragEvent("drop", { ...more, dataTransfer: data })
          : new ClipboardEvent("paste", { ...more, clipboardData: data }),
      );
    },
    [how, files] as const,
  );
}

async function choose(page: Page, button: string, files: Given[]): Promise<void> {
  const opened = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: button }).click();
  const named = files.map(({ name, mimeType, text = "", bytes }) => ({
    ...{ name, mimeType },
    buffer: bytes === undefined ? Buffer.from(text) : Buffer.from(bytes),
  }));
  await (await opened).setFiles(named);
}

test("text files of a new run are chosen, dropped, removed and kept over a reload; the run's page shows them, and they are downloaded", async ({
  product,
  signedIn: page,
}) => {
  await page.goto(`${product.url}/runs/new`);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await prompt.fill(`Look\n${step("echo looked")}`);
  const chips = page.getByRole("list", { name: "Attached text files" });
  await choose(page, "Attach files", [notes, program]);
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/]);
  await expect(page.getByRole("alert").filter({ hasText: "program is not text in UTF-8." })).toBeVisible();
  await give(prompt, "drop", [long, { ...notes, text: "other words" }]);
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/, /build\.log/, /notes \(2\)\.md/]);
  await expect(page.getByText("program is not text")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove notes (2).md" }).press("Enter");
  await expect(prompt).toBeFocused();
  await inspect(page, "new run, with text files", { seriousOnly: true });
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((value) => value.includes("of the build"))))
    .toBe(true);
  await page.reload();
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/, /build\.log/]);

  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/runs\/\d+/);
  await expect(page.getByRole("feed").getByText("looked").last()).toBeVisible();
  const shown = page.getByRole("list", { name: "Attached files" });
  await expect(shown.getByRole("listitem")).toHaveCount(2);
  await shown.getByRole("button", { name: "notes.md" }).first().click();
  await expect(shown.getByText("The clock is **an hour** late.")).toBeVisible();
  await shown.getByRole("button", { name: "build.log" }).first().click();
  await expect(shown.getByText("line 3 of the build")).toBeVisible();
  await inspect(page, "run, with text files", { seriousOnly: true });
  await shown.getByRole("button", { name: "Show all 400 lines" }).click();
  await expect(shown.getByText("line 30 of the build")).toBeVisible();
  for (const { name, text = "" } of [notes, long]) {
    const started = page.waitForEvent("download");
    await shown.getByRole("button", { name: `Download ${name}` }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(name);
    expect(await readFile(await download.path(), "utf8")).toBe(text);
  }
  await page.goto(`${product.url}/runs/new`);
  await expect(chips).toHaveCount(0);
});

test("a message on a run's page has text files, which a draft and a queued message keep", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: step("sleep 600"), agent: "steps" });
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Queue it instead" }).click();
  const composer = page.getByRole("textbox", { name: "Queue a follow-up" });
  const chips = page.getByRole("list", { name: "Attached text files" });
  await give(composer, "paste", [notes, program]);
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/]);
  await expect(page.getByRole("alert").filter({ hasText: "program is not text in UTF-8." })).toBeVisible();
  await composer.click();
  await choose(page, "Attach text files", [long]);
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/, /build\.log/]);
  await inspect(page, "composer, with text files", { seriousOnly: true });
  await page.getByRole("button", { name: "Remove build.log" }).click();
  await expect(composer).toBeFocused();
  await composer.fill(`More\n${step("echo more")}`);
  await expect
    .poll(() => page.evaluate((key) => localStorage.getItem(key), `errand.draft.run.${run.id}`))
    .toContain("More");
  await page.reload();
  await expect(chips.getByRole("listitem")).toHaveText([/notes\.md/]);
  await page.getByRole("button", { name: "Queue it instead" }).click();
  await composer.press("Control+Enter");
  const queue = page.getByRole("region", { name: "Queued messages" });
  await expect(queue.getByText("notes.md")).toBeVisible();
  await expect(chips).toHaveCount(0);
  await inspect(page, "queue, with text files", { seriousOnly: true });

  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await queue.getByRole("button", { name: "Send 1 message" }).click();
  await expect(page.getByRole("feed").getByText("more").last()).toBeVisible();
  await page.reload();
  const shown = page.getByRole("list", { name: "Attached files" });
  // Until then the list of queued messages has one too, which goes.
  await expect(page.getByText("Completed").first()).toBeVisible();
  await shown.getByRole("button", { name: "notes.md" }).first().press("Enter");
  await expect(shown.getByText("The clock is **an hour** late.")).toBeVisible();
});

test("what is written and attached while a message is being sent is the next message, and leaving meanwhile sends none twice", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: step("sleep 600"), agent: "steps" });
  let release = () => {};
  let held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/agent/run/resume", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Queue it instead" }).click();
  const composer = page.getByRole("textbox", { name: "Queue a follow-up" });
  const chips = page.getByRole("list", { name: "Attached text files" }).getByRole("listitem");
  const queue = page.getByRole("region", { name: "Queued messages" });
  await give(composer, "paste", [notes]);
  await expect(chips).toHaveText([/notes\.md/]);
  await composer.fill("The first one");
  await composer.press("Control+Enter");
  await composer.pressSequentially(" and the second");
  // A file that is still being read when the answer comes.
  const readNow = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await promise;
      return read.call(this);
    };
    return resolve;
  });
  await give(composer, "paste", [long]);
  release();
  await expect(queue.getByText("The first one", { exact: true })).toBeVisible();
  await expect(composer).toHaveValue("and the second");
  await expect(chips).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Queue/ }).last()).toBeDisabled();
  await readNow.evaluate((resolve) => resolve());
  await expect(chips).toHaveText([/build\.log/]);

  held = new Promise<void>((done) => {
    release = done;
  });
  await composer.press("Control+Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).first().click();
  await page.waitForURL(/\/runs$/);
  const sent = page.waitForResponse("**/agent/run/resume");
  release();
  expect((await sent).status()).toBe(200);
  await page.goBack();
  await expect(queue.getByText("and the second")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message the agent" })).toHaveValue("");
  await expect(chips).toHaveCount(0);
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
});

test("a file is refused, and nothing breaks, if the script that reads it cannot be loaded", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: step("echo done"), agent: "steps" });
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("is not text in UTF-8")) await route.abort();
    else await route.fulfill({ response });
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  const composer = page.getByRole("textbox", { name: "Continue the run" });
  await composer.fill("More");
  await give(composer, "paste", [notes]);
  await expect(page.getByRole("alert").filter({ hasText: "notes.md was not attached" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Continue/ })).toBeEnabled();
});

import { ApiClient } from "./api.ts";
import { action, externalRun, openElsewhere } from "./share-reader.ts";
import { expect, test } from "./test.ts";

test("without tool output a page shows what was done and hides contents, in cards, as JSON, and live", {
  tag: "@short",
}, async ({ product, browser }) => {
  const api = await ApiClient.create(product);
  const run = await externalRun(api, "Write the notes");
  const call = (tool_name: string, tool_input: object) => ({ ...action("", "canary"), tool_name, tool_input });
  const patch = "*** Begin Patch\n*** Add File: one.md\n+canary\n*** Delete File: two.md\n*** End Patch";
  const attachments = [{ name: "table.csv", media_type: "text/csv", bytes: 2048, text: "canary" }];
  await run.append([
    { message_type: "USER_MESSAGE", tool_input: { turn: 1, attachments }, observation: "Look at my table" },
    call("Write", { file_path: "docs/notes.md", content: "canary" }),
    call("Edit", { file_path: "docs/edited.md", old_string: "canary", new_string: "canary 2" }),
    call("apply_patch", { input: patch }),
    call("mcp__files__store", { value: "canary", canary: 1 }),
    call("Task", { description: "Explore", prompt: "canary" }),
  ]);
  const { url } = await run.share({});
  const { context, reader, bodies } = await openElsewhere(browser);
  await reader.goto(url);
  for (const shown of [
    "docs/notes.md",
    "docs/edited.md",
    "one.md",
    "two.md",
    "Explore",
    "6 characters of its input hidden",
  ])
    await expect(reader.getByText(shown).first()).toBeVisible();
  await expect(reader.getByRole("button", { name: "table.csv 2 KB · hidden" })).toBeDisabled();
  await run.append([action("tee notes <<'END'\ncanary\nEND", "canary")]);
  await expect(reader.getByText("tee notes <<'END'").first()).toBeVisible();
  const read = async () => (await bodies()).join("\n") + (await reader.content());
  expect(await read()).not.toContain("canary");
  await reader.getByRole("link", { name: "Raw" }).click();
  await expect(reader.getByRole("feed", { name: "Log entries as JSON" })).toContainText("changed_files");
  expect(await read()).not.toContain("canary");
  await context.close();
});

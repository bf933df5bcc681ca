import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const call = (tool_name: string, tool_input: object, tool_output: object) => ({
  message_type: "ACTION",
  tool_name,
  tool_input,
  tool_output,
});
const edit = { file_path: "/srv/app/a.ts", old_string: "one", new_string: "two" };
const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
const longOutput = `${"a line of the build\n".repeat(2_000)}[The command completed with exit code 3.]`;

type Outcome = "ok" | "failed" | "refused" | "cancelled" | "unfinished" | "unknown";

/** Calls as various agents write them, each with its outcome; the last three are a group. */
const cases: { name: string; outcome: Outcome; entry: ReturnType<typeof call> }[] = [
  { name: "exit 0", outcome: "ok", entry: call("Bash", { command: "npm test" }, { output: "ok", exit_code: 0 }) },
  { name: "exit 1", outcome: "failed", entry: call("Bash", { command: "npm test" }, { output: "no", exit_code: 1 }) },
  { name: "grep found nothing", outcome: "ok", entry: call("Bash", { command: "grep x y" }, { exit_code: 1 }) },
  {
    name: "a flagged edit",
    outcome: "failed",
    entry: call("Edit", edit, { content: "String to replace not found in file.", is_error: true }),
  },
  {
    name: "an edit that failed in words",
    outcome: "failed",
    entry: call(
      "str_replace_editor",
      { command: "str_replace", path: "/srv/app/a.ts", old_str: "one", new_str: "two" },
      { text: "No replacement was performed, old_str `one` did not appear verbatim in /srv/app/a.ts." },
    ),
  },
  { name: "a refusal", outcome: "refused", entry: call("Write", edit, { content: refusal, is_error: true }) },
  {
    name: "a cancelled call",
    outcome: "cancelled",
    entry: call("Bash", { command: "sleep 9" }, { status: "cancelled" }),
  },
  { name: "no result", outcome: "unfinished", entry: call("Bash", { command: "sleep 99" }, {}) },
  { name: "an odd status", outcome: "unknown", entry: call("Bash", { command: "ls" }, { status: "mysterious" }) },
  {
    name: "an exit code in a header line",
    outcome: "failed",
    entry: call(
      "exec_command",
      { cmd: "make" },
      { output: "Chunk ID: 8c7cc0\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno rule\n" },
    ),
  },
  {
    name: "an MCP error",
    outcome: "failed",
    entry: call(
      "mcp__tracker__open_issue",
      { number: 7 },
      { content: [{ type: "text", text: "no such issue" }], isError: true },
    ),
  },
  {
    name: "a failed status",
    outcome: "failed",
    entry: call("webfetch", { url: "https://a.example" }, { status: "error", error: "timeout" }),
  },
  {
    name: "success: false",
    outcome: "failed",
    entry: call("view", { path: "/srv/app/a.ts" }, { success: false, error: { message: "denied" } }),
  },
  {
    name: "an exit code behind what is cut",
    outcome: "failed",
    entry: call("execute_bash", { command: "make all" }, { text: longOutput }),
  },
  { name: "a read", outcome: "ok", entry: call("Read", { file_path: "/srv/app/b.ts" }, { content: "1\tone" }) },
  {
    name: "a read that failed",
    outcome: "failed",
    entry: call("Read", { file_path: "/srv/app/c.ts" }, { content: "File does not exist.", is_error: true }),
  },
  { name: "another read", outcome: "ok", entry: call("Read", { file_path: "/srv/app/d.ts" }, { content: "1\ttwo" }) },
];
const words: Record<Outcome, string> = {
  ok: "",
  failed: "failed",
  refused: "refused",
  cancelled: "cancelled",
  unfinished: "no result",
  unknown: "outcome unknown",
};
/** A thought follows each case outside the group, so that every case has its own card. */
const grouped = 3;
const entries = cases.flatMap(({ entry }, place) =>
  place < cases.length - grouped ? [entry, { message_type: "PLAN_EVALUATION", thought: "On we go." }] : [entry],
);
const all: readonly unknown[] = entries;
const seqOf = (place: number) => all.indexOf(cases[place]?.entry) + 1;
const failedSeqs = cases.flatMap(({ outcome }, place) => (outcome === "failed" ? [seqOf(place)] : []));
const firstOfGroup = seqOf(cases.length - grouped);

async function reportedRun(api: ApiClient): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Outcomes", agent: "external" });
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  return Number(run.id);
}

test("card, group line, J and K, map, filter, timeline and export agree on every outcome", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const id = await reportedRun(api);

  // First the group's line, which stands for its folded members.
  await page.goto(`${product.url}/runs/${id}?entry=${firstOfGroup - 1}`);
  const line = page.getByRole("article", {
    name: new RegExp(`^Steps ${firstOfGroup} to ${firstOfGroup + 2}, .*, 1 failed$`),
  });
  await expect(line).toBeVisible();
  await expect(line.getByText("1 failed", { exact: true })).toBeVisible();

  // All cards except those of the group fit on one tall page; a link to one of these opens the group.
  await page.setViewportSize({ width: 1440, height: 8_000 });
  await page.goto(`${product.url}/runs/${id}?entry=1`);
  for (const [place, { name, outcome }] of cases.entries()) {
    const seq = seqOf(place);
    if (seq === firstOfGroup) await page.setViewportSize({ width: 1440, height: 900 });
    if (seq >= firstOfGroup) await page.goto(`${product.url}/runs/${id}?entry=${seq}`);
    const card = page.locator(`article[data-seq='${seq}']`);
    await expect(card.locator("[data-outcome]").first(), name).toHaveAttribute("data-outcome", outcome);
    if (outcome === "ok") continue;
    await expect(card.getByText(new RegExp(`^${words[outcome]}( ·|$)`)).first(), name).toBeVisible();
    await expect(card, name).toHaveAttribute("aria-label", new RegExp(`, ${words[outcome]}(, exit \\d+)?$`));
  }

  await page.goto(`${product.url}/runs/${id}?entry=1`);
  await expect(page.locator("article[data-seq='1']")).toBeVisible();
  for (const seq of failedSeqs) {
    await page.keyboard.press("Shift+J");
    await expect.poll(() => focusedSeq(page)).toBe(seq);
  }
  await page.keyboard.press("Shift+J");
  await expect(page.getByText("No errors after this step", { exact: true })).toBeVisible();
  for (const seq of failedSeqs.slice(0, -1).reverse()) {
    await page.keyboard.press("Shift+K");
    await expect.poll(() => focusedSeq(page)).toBe(seq);
  }

  // The data that the map draws; here it has one part per entry.
  const { body: outline } = await api.ask("GET", `/agent/run/${id}/logs/outline?buckets=${entries.length}`);
  const parts = outline.buckets as { from_seq: number; errors: number }[];
  expect(parts.filter(({ errors }) => errors > 0).map(({ from_seq }) => from_seq)).toEqual(failedSeqs);

  const { body: filtered } = await api.ask("GET", `/agent/run/${id}/logs?errors=true`);
  expect((filtered.logs as { seq: number }[]).map(({ seq }) => seq)).toEqual(failedSeqs);
  await page.goto(`${product.url}/runs/${id}?errors=1`);
  for (const seq of failedSeqs.slice(0, 2)) await expect(page.locator(`article[data-seq='${seq}']`)).toBeVisible();
  await expect(page.locator(`article[data-seq='${failedSeqs[0]}']`)).toHaveAttribute(
    "aria-setsize",
    String(failedSeqs.length),
  );

  await page.goto(`${product.url}/runs/${id}?tab=timeline`);
  const rows = page.locator("[data-seq-row]");
  await expect(rows).toHaveCount(entries.length);
  const failedRows = rows.filter({ hasText: /failed/ });
  expect(await failedRows.evaluateAll((found) => found.map((row) => Number(row.getAttribute("data-seq-row"))))).toEqual(
    failedSeqs,
  );

  const markdown = await (await api.fetch(`/agent/run/${id}/export?format=markdown`)).text();
  const sections = markdown.split(/^### (?=\d+\. )/m).slice(1);
  const failedSections = sections.filter((section) => section.split("\n")[2]?.includes("**failed**"));
  expect(failedSections.map((section) => Number.parseInt(section, 10))).toEqual(failedSeqs);
});

test("a failed edit says so before its changes, and the Changes tab of an external run leaves it out", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const patch = [
    "*** Begin Patch",
    "*** Update File: lib/b.ts",
    "@@",
    "-const a = 1;",
    "+const a = 2;",
    "@@",
    "-const b = 1;",
    "+const b = 2;",
    "*** Add File: lib/c.ts",
    "+export {};",
    "*** End Patch",
  ].join("\n");
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Edits", agent: "external" });
  const posted = [
    call("Edit", edit, { content: "String to replace not found in file.", is_error: true }),
    call("apply_patch", { input: patch }, { output: "Success. Updated the following files:\nM lib/b.ts\nA lib/c.ts" }),
  ];
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: posted })).status).toBe(200);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const failed = page.locator("article[data-seq='1']");
  await expect(failed.getByText("The edit was not applied.")).toBeVisible();
  await expect(failed.getByText("String to replace not found in file.")).toBeVisible();
  await expect(failed.getByText("The intended change")).toBeVisible();
  const patched = page.locator("article[data-seq='2']");
  await expect(patched.getByText("lib/b.ts and 1 more")).toBeVisible();
  await expect(patched.getByText("const b = 2;")).toBeVisible();
  // One header per file, however many hunks.
  await expect(patched.getByRole("button", { name: "Copy path of lib/b.ts" })).toHaveCount(1);
  await patched.getByRole("button", { name: "Output", exact: true }).click();
  await expect(patched.getByText("Success. Updated the following files:")).toBeVisible();

  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Changes" }).click();
  await expect(page.getByText("As reported by the steps")).toBeVisible();
  const unapplied = page.getByRole("region", { name: "/srv/app/a.ts" });
  await expect(unapplied.getByText("failed, not applied")).toBeVisible();
  await expect(page.getByText("1 edit not applied")).toBeVisible();
  await page.getByRole("region", { name: "lib/b.ts" }).getByRole("link", { name: "Step #2" }).first().click();
  await expect(page).toHaveURL(/entry=2/);
  await expect(patched).toBeInViewport();
});

function focusedSeq(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const card = document.activeElement?.closest<HTMLElement>("[data-seq]");
    return card === null || card === undefined ? null : Number(card.dataset.seq);
  });
}

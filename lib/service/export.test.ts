import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { after, before, test } from "node:test";
import MarkdownIt from "markdown-it";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { dispatchOver } from "#lib/web/api.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("viewer");
});
after(() => api.close());

/** A finished run with these entries; returns its path. */
async function finished(entries: NewEntry[]): Promise<string> {
  const { run, lease } = await api.liveRun(entries);
  await api.finish(lease);
  return `${O}/agent/run/${run.id}`;
}

async function exported(path: string, format: string): Promise<string> {
  const answered = await api.ask("GET", `${path}/export?format=${format}`, { token });
  assert.equal(answered.status, 200, answered.text);
  return answered.text;
}

async function logsOf(path: string): Promise<unknown[]> {
  const logs: unknown[] = [];
  for (;;) {
    const page = (await api.ask("GET", `${path}/logs?skip=${logs.length}`, { token })).json.logs as unknown[];
    if (page.length === 0) return logs;
    logs.push(...page);
  }
}

const blank = { created_at: "2026-01-31T23:59:59.000Z", tool_name: null, tool_input: null, tool_output: null };
const said = (text: string): NewEntry => ({
  ...blank,
  message_type: "PLAN_EVALUATION",
  thought: text,
  observation: null,
});
const answered = (text: string): NewEntry => ({
  ...blank,
  message_type: "FINAL_ANSWER",
  thought: null,
  observation: text,
});
const ran = (command: string, output: string, more: Record<string, unknown> = {}): NewEntry => ({
  ...blank,
  message_type: "ACTION",
  thought: null,
  tool_name: "Bash",
  tool_input: { command, ...more },
  tool_output: { status: "completed", exit_code: 0, output },
  observation: null,
});

const hostile = [
  "<script>alert(1)</script>",
  "</script><img src=x onerror=alert(1)>",
  "</details></pre></article><h1>out</h1>",
  "</style><style>*{display:none}</style>",
  "<!-- -->--!><b>",
  "```\n</details>\n<script>x</script>\n```\n",
  "~~~\n```\n~~~~\n````\n<b>x</b>",
  "  ```\n<i>a</i>\n```\n<script>y</script>",
  "\t```\n\t<b>\n```\n<script>y</script>",
  "- ```\n<u>a</u>\n```\n<script>z</script>\n```",
  "```\n<s>in</s>\n\t```\n<script>w</script>",
  "`a`` <b>x</b> ` y",
  "a ` b\nc <b> ` d",
  "\\` <b> `x`",
  "| a `b | <b>c</b>` |\n|---|---|\n| `d | <b>e</b>` |",
  "![picture](https://example.com/x.png) and <img src=https://example.com/y.png>",
  "[a]: https://example.com 'x\n```\n<b>'",
  "\u001B[31m```\u001B[0m\n<b>\u001B]0;title\u0007</b>",
  "``\u001B[0m`\n``\u001B[0m``\n<b>",
  "\u202Eevil\u202C \u0000\u0000 \u2066x\u2069 \u200B \uD800 lone",
  "\r<b>\r```\r<i>",
  '" onmouseover="alert(1)',
  "&lt;b&gt; &#60;b&#62; &amp;",
  "# heading\n> quote\n1. list\n---\n$$\nx\n$$",
];
const everywhere = hostile.flatMap((text): NewEntry[] => [
  said(text),
  ran(text, text, { [text]: text }),
  { ...ran("true", "x"), tool_name: text, tool_input: { file_path: text, old_string: text, new_string: `${text}!` } },
  { ...ran("true", "x"), tool_output: { status: text, diffs: [{ path: text, oldText: null, newText: text }] } },
  { ...answered(text), message_type: "ERROR", observation: { code: text, message: text, data: { [text]: [text] } } },
  { ...answered(text), message_type: "USER_MESSAGE", tool_input: { turn: 2, notice: text } },
  answered(text),
]);

test("the JSON file holds the run and its entries exactly as the logs give them", async () => {
  let depth: unknown = "bottom";
  for (let level = 0; level < 500; level += 1) depth = { deeper: [depth] };
  const path = await finished([...everywhere, ran("deep", "x", { depth }), said("x".repeat(300_000))]);
  const { logs, ...run } = JSON.parse(await exported(path, "json"));
  assert.deepEqual(JSON.stringify(logs), JSON.stringify(await logsOf(path)));
  assert.deepEqual(run, (await api.ask("GET", path, { token })).json);
  assert.equal(logs.length, run.total_logs);
  for (const format of ["markdown", "html"]) {
    const text = await exported(path, format);
    assert.ok(text.includes("bottom") && text.length < 3_000_000, format);
  }
});

/** Every tag and text of a page, by those rules of HTML that apply to this page. */
function tagsOf(html: string): string[] {
  const style = html.replace(/<style>[^<]*<\/style>/, "<style></style>");
  return Array.from(style.matchAll(/<[^>]*>?/g), ([tag]) => tag);
}

test("the HTML file has no tag and no attribute that comes from the run, and nothing to load or run", async () => {
  const html = await exported(await finished(everywhere), "html");
  const known =
    /^(?:<!doctype html>|<html lang="en">|<meta (?:charset="utf-8"|http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"|name="[a-z-]+" content="[a-z0-9=, -]+")>|<(?:article id="entry-\d+"(?: class="failed")?|a href="#entry-\d+"|p class="label"|div class="prose" dir="auto")>|<\/?(?:html|head|title|style|body|main|h1|h2|h3|dl|dt|dd|div|article|header|a|code|span|time|p|pre|details|summary|small|ins|del)>)$/;
  for (const tag of tagsOf(html)) assert.match(tag, known);
  assert.doesNotMatch(html, /\p{Cc}(?<![\n\t])|[\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u);
  const depth = { open: 0 };
  for (const tag of tagsOf(html)) {
    if (tag === "<article>" || tag.startsWith("<article ")) depth.open += 1;
    if (tag === "</article>") depth.open -= 1;
    assert.ok(depth.open === 0 || depth.open === 1);
  }
  assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;") && html.includes("⟨U+202E⟩evil"));
});

test("no text of the run ends its fence or quotation in the Markdown file, or becomes HTML or an image there", async () => {
  const path = await finished(everywhere);
  const tokens = new MarkdownIt({ html: true }).parse(await exported(path, "markdown"), {});
  const inline = tokens.flatMap((token) => token.children ?? []);
  for (const token of [...tokens, ...inline]) {
    assert.ok(!["html_block", "html_inline", "image"].includes(token.type), `${token.type}: ${token.content}`);
  }
  // The headings outside quotations are the file's own, in order, none missing and none added.
  const own = tokens.flatMap((token, index) =>
    token.type === "heading_open" && token.level === 0 && token.tag === "h3" ? [tokens[index + 1]?.content ?? ""] : [],
  );
  assert.deepEqual(
    own.map((heading) => Number.parseInt(heading, 10)),
    everywhere.map((_, index) => index + 1),
  );
  const outputs = tokens.filter((token) => token.type === "fence" && token.level === 0).map((token) => token.content);
  assert.ok(outputs.includes("```\n</details>\n<script>x</script>\n```\n"));
  assert.ok(outputs.includes("~~~\n```\n~~~~\n````\n<b>x</b>\n"));
});

test("a 10 MB output is complete in every format", async () => {
  const line = "0123456789 <abcdef> 😀 ".repeat(20);
  const output = `${line}\n`.repeat(Math.ceil(10_000_000 / line.length));
  const path = await finished([
    ran("make", output),
    ran("yes", "😀".repeat(500_000)),
    ran("tick", "`".repeat(100_000)),
  ]);
  const logs = JSON.parse(await exported(path, "json")).logs;
  assert.equal(logs[0].tool_output.output, output);
  const markdown = await exported(path, "markdown");
  assert.ok(markdown.includes(output) && markdown.includes("😀".repeat(500_000)));
  const html = await exported(path, "html");
  assert.ok(html.includes(output.replaceAll("<", "&lt;").replaceAll(">", "&gt;")));
  assert.ok(html.includes("😀".repeat(500_000)) && !html.includes("\uFFFD"));
});

test("a file has the entries that the run had when it was requested, whatever is appended meanwhile", async () => {
  const { run, lease } = await api.liveRun(someEntries(1_200, (index) => `${index} `.repeat(2_000)));
  const asked = api.request("GET", `${O}/agent/run/${run.id}/export`, { token });
  const response = await dispatchOver(api.api)(asked);
  const reader = response.body?.getReader();
  assert.ok(reader !== undefined);
  const pieces = [Buffer.from((await reader.read()).value ?? [])];
  await api.store.queue.append(lease, someEntries(5));
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(Buffer.from(next.value));
  await api.finish(lease);
  const file = JSON.parse(Buffer.concat(pieces).toString());
  assert.deepEqual([file.total_logs, file.logs.length, file.logs.at(-1).seq], [1_200, 1_200, 1_200]);
});

test("an empty run is a complete file in every format, HEAD has only the headers, and no name breaks the header", async () => {
  const run = await api.run({ prompt: '"; evil=\r\nX: y\n../../Ünïcode 漢字 <b>' });
  const path = `${O}/agent/run/${run.id}`;
  assert.deepEqual(JSON.parse(await exported(path, "json")).logs, []);
  assert.match(await exported(path, "markdown"), /^# Run \d+: /);
  assert.match(await exported(path, "html"), /<\/html>\n$/);
  const head = await api.ask("HEAD", `${path}/export?format=html`, { token });
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(head.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.equal(head.headers.get("content-disposition"), `attachment; filename="errand-run-${run.id}-evil.html"`);
  await api.store.runs.cancel(api.home, run.id);
});

test("a client that stops reading stops the reading of the store, and one that leaves ends it", async () => {
  const path = await finished(someEntries(300, () => "x".repeat(100_000)));
  const { entries } = api.store;
  const readAfter = entries.readAfter;
  let reads = 0;
  const front = await api.serve();
  entries.readAfter = (...given) => {
    reads += 1;
    return readAfter(...given);
  };
  try {
    const headers = { authorization: `Bearer ${token}` };
    const whole = await (await fetch(`${front.url}${path}/export`, { headers })).json();
    assert.equal((whole as { logs: unknown[] }).logs.length, 300);
    const allReads = reads;
    reads = 0;
    const request = get(`${front.url}${path}/export`, { headers, agent: false });
    const [response] = await once(request, "response");
    await once(response, "readable");
    // The front still serves others while this client reads nothing.
    assert.equal((await fetch(`${front.url}${path}`, { headers })).status, 200);
    const readsOfStalled = reads;
    assert.ok(readsOfStalled < allReads, `${readsOfStalled} of ${allReads} batches`);
    request.destroy();
    await once(request, "close");
    await front.close();
    assert.ok(reads < allReads, `${reads} of ${allReads} batches`);
  } finally {
    entries.readAfter = readAfter;
    await front.close();
  }
});

test("an answer that is in the log is not repeated after a later turn that failed", async () => {
  const { run, lease } = await api.liveRun([answered("done")]);
  await api.finish(lease);
  await api.store.runs.addTurn(api.home, run.id, { prompt: "more", images: [], model: null });
  const again = await api.store.queue.claim("engine", 60_000);
  assert.ok(again !== null);
  const entries = [said("It will not work")];
  await api.store.queue.finishTurn(again.lease, { status: "failed", result: null, summary: null, entries });
  const text = await exported(`${O}/agent/run/${run.id}`, "markdown");
  assert.ok(text.includes("It will not work"));
  assert.equal(text.split(/^> done$/m).length - 1, 1, text);
});

test("an image in a result is an image on the page, its failed call says so, and Markdown names it", async () => {
  const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
  const [blank] = someEntries(1);
  assert.ok(blank !== undefined);
  const called = { message_type: "ACTION" as const, tool_name: "shot", tool_input: {}, thought: null };
  const path = await finished([{ ...blank, ...called, tool_output: { content: [image], is_error: true } }]);
  const page = await exported(path, "html");
  assert.match(
    page,
    /<article id="entry-1" class="failed">[\s\S]*<img src="data:image\/png;base64,iVBORw0KGgo=" alt="Image: image\/png, 8 B">/,
  );
  assert.equal(page.match(/iVBORw0KGgo=/g)?.length, 1);
  assert.match(await exported(path, "markdown"), /\*\*failed\*\*[\s\S]*Image: image\/png, 8 B/);
});

test("a download that is not finished breaks off when its token is revoked", async () => {
  const path = await finished(Array.from({ length: 40 }, (_, index) => said(`${index} ${"x".repeat(100_000)}`)));
  const owner = await api.token();
  const { json } = await api.asked("POST", `${O}/tokens`, { token: owner, body: { name: "downloads" } });
  for (const [format, isRevoked] of [
    ["json", false],
    ["json", true],
  ] as const) {
    const request = new Request(`http://errand.test${path}/export?format=${format}`, {
      headers: { authorization: `Bearer ${json.token}` },
    });
    const { body } = await dispatchOver(api.api)(request);
    assert.ok(body !== null);
    const reader = body.getReader();
    await reader.read();
    if (isRevoked) await api.asked("DELETE", `${O}/tokens/${json.id}`, { token: owner });
    // Access is checked once a second.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const rest = async () => {
      for (let bytes = 0; ; ) {
        const next = await reader.read();
        if (next.done) return bytes;
        bytes += next.value.length;
      }
    };
    if (isRevoked) await assert.rejects(rest());
    else assert.ok((await rest()) > 3_000_000);
  }
});

import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { visitTexts } from "#lib/entry/entry-text.ts";
import { convertTraces, tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const folder = tracesFolder();
/** Of each format, the first trace. */
const entriesMax = 100;
const wordsOfTrace = 4;

/** Words with the steps they are in, spread over the entries: the longest of each, which find must count and the page must mark. */
function samples(entries: readonly NewEntry[]): { seq: number; word: string }[] {
  const step = Math.max(1, Math.floor(entries.length / wordsOfTrace));
  return entries.flatMap((entry, index) => {
    if (index % step !== 0) return [];
    const words: string[] = [];
    visitTexts(entry, (text) => words.push(...(text.slice(0, 50_000).match(/[\p{L}\p{N}]{4,24}/gu) ?? [])) > 0 || true);
    const word = words[(index * 7) % Math.max(1, words.length)];
    return word === undefined ? [] : [{ seq: index + 1, word }];
  });
}

test("in recorded traces, a step in which a word is found is marked on the page", async ({
  signedIn: page,
  product,
}) => {
  test.skip(folder === null, "no recorded traces beside this checkout (../shared/traces)");
  test.setTimeout(600_000);
  const api = await ApiClient.create(product);
  const unmarked: string[] = [];
  const formats = new Set<string>();
  for (const { file, runs } of convertTraces(folder ?? "")) {
    const entries = (runs[0]?.entries ?? []).slice(0, entriesMax);
    const format = file.slice(0, file.indexOf("/"));
    if (entries.length === 0 || formats.has(format)) continue;
    formats.add(format);
    const { body: run } = await api.ask("POST", "/agent/run", { prompt: file, agent: "external" });
    const sent = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
    expect([file, sent.status, sent.body.errors]).toEqual([file, 200, undefined]);
    await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
    for (const { seq, word } of samples(entries)) {
      const query = new URLSearchParams({ q: word, around_seq: String(seq), limit: "1" });
      const { body } = await api.ask("GET", `/agent/run/${run.id}/logs/search?${query}`);
      const [hit] = body.hits as { seq: number }[];
      expect([file, word, hit?.seq]).toEqual([file, word, seq]);
      await page.goto(`${product.url}/runs/${run.id}?entry=${seq}&find=${encodeURIComponent(word)}`);
      const isMarked = () =>
        page.evaluate((wanted) => {
          const ranges = [...(CSS.highlights.get("find") ?? []), ...(CSS.highlights.get("find-current") ?? [])];
          return ranges.some(({ startContainer }) => {
            const step = startContainer.parentElement?.closest<HTMLElement>("article[data-seq]");
            return step?.dataset.seq === String(wanted);
          });
        }, seq);
      await expect
        .poll(isMarked, { timeout: 10_000 })
        .toBe(true)
        .catch(() => unmarked.push(`${file} ${seq} ${word}`));
    }
  }
  expect(unmarked).toEqual([]);
});

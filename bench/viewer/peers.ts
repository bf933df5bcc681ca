import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { median } from "../report.ts";
import { Profile } from "./chromium.ts";
import { inspectLogOf } from "./inspect-log.ts";
import { within } from "./jumps.ts";
import type { Bench } from "./measure.ts";

/** Medians in milliseconds; null if it took more than a minute. */
export type Peer = { warmMs: number | null; coldMs: number | null; endMs: number | null; bytes: number };

const answerMs = 60_000;
const howTo =
  "make a folder and in it: npm install --legacy-peer-deps @metrevals/inspect-log-viewer react@19 react-dom@19 react-router@7 esbuild";

/**
 * The viewer of Inspect AI (its own library of version 0.3.180, the log beside it as `inspect view bundle` lays it out) on the
 * same trace: from the start of the navigation to the transcript's first painted text, and from scrolling its list to its end
 * until the last entry's text is painted. `folder` is where its packages are installed; null if they are not.
 */
export async function measureInspect(bench: Bench, folder: string): Promise<Peer | null> {
  const library = join(folder, "node_modules/@metrevals/inspect-log-viewer/lib");
  const isThere = await access(library).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    process.stderr.write(`bench:viewer: the peer is not in ${folder}; ${howTo}\n`);
    return null;
  }
  const site = await mkdtemp(join(tmpdir(), "errand-bench-peer-"));
  const { file, listing } = await inspectLogOf(bench.api, bench.trace);
  await buildSite(folder, library, site);
  await writeFile(join(site, "trace.eval"), file);
  await writeFile(join(site, "listing.json"), JSON.stringify({ "trace.eval": listing }));
  const server = await serve(site);
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The peer's server does not listen.");
    const url = `http://127.0.0.1:${address.port}/#/logs/logs%2Ftrace.eval/samples/sample/1/1/transcript`;
    const texts = await endsOf(bench);
    const cold: number[] = [];
    const warm: number[] = [];
    const end: number[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      const profile = await Profile.open([]);
      try {
        cold.push(await firstText(await (await profile.tab(bench.slowdown)).page, url, texts.first));
        const { page } = await profile.tab(bench.slowdown);
        warm.push(await firstText(page, url, texts.first));
        end.push(await toEnd(page, texts.last));
      } finally {
        await profile.close();
      }
    }
    const of = (times: number[]) => (times.every(Number.isFinite) ? median(times) : null);
    return { warmMs: of(warm), coldMs: of(cold), endMs: of(end), bytes: file.length };
  } finally {
    server.close();
    await rm(site, { recursive: true, force: true });
  }
}

/** A page around the library, as its README shows it. */
async function buildSite(folder: string, library: string, site: string): Promise<void> {
  const main = `
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    import { App, clientApi, initializeStore, simpleHttpApi } from "@metrevals/inspect-log-viewer";
    import "@metrevals/inspect-log-viewer/styles/index.css";
    const api = clientApi(simpleHttpApi("logs"));
    initializeStore(api, { downloadFiles: true, webWorkers: true, streamSamples: true, streamSampleData: true, nativeFind: false }, undefined);
    createRoot(document.getElementById("app")).render(createElement(App, { api }));`;
  const entry = join(folder, "errand-bench-entry.js");
  await writeFile(entry, main);
  const esbuild = join(folder, "node_modules/.bin/esbuild");
  const loaders = ["woff", "woff2", "ttf", "eot", "svg"].map((ending) => `--loader:.${ending}=dataurl`);
  const options = ["--bundle", "--minify", "--format=esm", `--outdir=${site}`, "--entry-names=index", ...loaders];
  await promisify(execFile)(esbuild, [entry, ...options, '--define:process.env.NODE_ENV="production"'], {
    cwd: folder,
  });
  await writeFile(
    join(site, "index.html"),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="./index.css"><script type="module" src="./index.js"></script></head><body><div id="app"></div></body></html>`,
  );
  await access(library);
}

/** Serves files from memory, with ranges and ETags, uncompressed because the network is the machine itself. */
async function serve(site: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const name = path === "/" ? "index.html" : path.replace(/^\/(?:logs\/)?/, "");
    const body = /^[\w.-]+$/.test(name) ? await readFile(join(site, name)).catch(() => null) : null;
    if (body === null) return void response.writeHead(404).end();
    const types = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json" };
    const type =
      Object.entries(types).find(([ending]) => name.endsWith(`.${ending}`))?.[1] ?? "application/octet-stream";
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const cacheControl = name === "index.js" || name === "index.css" ? "max-age=3600" : "no-cache";
    const headers = { "content-type": type, "accept-ranges": "bytes", "cache-control": cacheControl };
    if (range === null) return void response.writeHead(200, { ...headers, "content-length": body.length }).end(body);
    const piece = body.subarray(Number(range[1]), Number(range[2]) + 1);
    const place = `bytes ${range[1]}-${range[2]}/${body.length}`;
    response.writeHead(206, { ...headers, "content-range": place, "content-length": piece.length }).end(piece);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Words of the first and of the last entry. */
async function endsOf({ api, trace }: Bench): Promise<{ first: string; last: string }> {
  const { body } = await api.ask("GET", `/agent/run/${trace.runId}/logs?limit=1`);
  // The contract defines a page of entries; the first entry of a seeded trace is a message.
  const [entry] = body.logs as { observation: string }[];
  return { first: entry?.observation.slice(0, 40) ?? "", last: "needle-end" };
}

async function firstText(page: Page, url: string, text: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  return orNever(page.evaluate((wanted) => probe.whenText(wanted), text));
}

/** Scrolls the tallest list in each frame until its end is reached. */
async function toEnd(page: Page, text: string): Promise<number> {
  const work = page.evaluate(async (wanted) => {
    const begun = performance.now();
    let isOver = false;
    const pull = () => {
      if (isOver) return;
      for (const element of document.querySelectorAll("*")) {
        const room = element.scrollHeight - element.clientHeight;
        if (room > 200 && element.clientHeight > 200) element.scrollTop = room;
      }
      requestAnimationFrame(pull);
    };
    pull();
    const there = await probe.whenText(wanted);
    isOver = true;
    return there - begun;
  }, text);
  return orNever(work);
}

function orNever(work: Promise<number>): Promise<number> {
  return within(work, answerMs, "late").catch(() => Number.POSITIVE_INFINITY);
}

// The first thing that npm's scripts run, on whatever Node the machine has (plain JavaScript, no dependencies): installs what is
// missing, builds if the sources have changed, then hands over to Node 24.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./browser.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const [command, ...rest] = process.argv.slice(2);

/** Node 24 or newer: the one that runs this script, else the pinned package. */
function nodePath() {
  const own = join(modules, ".bin", "node");
  if (existsSync(own)) return own;
  return Number(process.versions.node.split(".")[0]) >= 24 ? process.execPath : own;
}

/**
 * Runs a program to its end; its output goes to standard error so that standard output has only a command's own output. With
 * `isQuiet` it is shown only after a failure.
 */
function must(what, file, args, { env = process.env, isQuiet = false } = {}) {
  const stdio = isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", 2, 2];
  const options = { cwd: root, stdio, env, maxBuffer: 64 * 1024 * 1024 };
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, options);
  if (status !== 0) {
    if (isQuiet) process.stderr.write(Buffer.concat([stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0)]));
    console.error(`errand: ${what} failed (${error?.message ?? signal ?? `exit ${status}`}).`);
    process.exit(1);
  }
}

/** Says what it does and how long that usually takes, does it, and says how long it took. */
function told(doing, done, work) {
  console.error(`errand: ${doing} …`);
  const startedAt = Date.now();
  work();
  console.error(`errand: ${done} in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

function digest(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    hash.update(`${relative(root, path)}\0`);
    hash.update(readFileSync(path));
  };
  const walk = (folder) => {
    for (const item of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, item.name);
      if (item.isDirectory()) walk(path);
      else if (!/\.test\.tsx?$/.test(item.name)) add(path);
    }
  };
  for (const name of paths) {
    const path = join(root, name);
    if (!existsSync(path)) continue;
    if (/\.[a-z]+$/.test(name)) add(path);
    else walk(path);
  }
  return hash.digest("hex");
}

/** `npm ci` if the installed packages are not those of the lock file. */
function install() {
  const stamp = join(modules, ".errand-installed");
  const wanted = digest(["package.json", "package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // The development packages include Node 24 and the build's tools, so they are needed in production too.
  const args = ["ci", "--include=dev", "--no-fund", "--no-audit", "--loglevel=error"];
  told("installing packages (takes about a minute; later starts skip this)", "packages installed", () =>
    must("npm ci", process.platform === "win32" ? "npm.cmd" : "npm", args, { isQuiet: true }),
  );
  writeFileSync(stamp, wanted);
}

/** `next build` if the sources have changed since the last one. */
function build() {
  const stamp = join(root, ".next", "errand-built");
  const wanted = digest([
    "app",
    "components",
    "lib",
    "public",
    "next.config.mjs",
    "package-lock.json",
    "postcss.config.mjs",
    "tsconfig.json",
  ]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const args = [join(modules, "next", "dist", "bin", "next"), "build"];
  told("building the pages (takes about a minute; later starts skip this)", "pages built", () =>
    must("the build", nodePath(), args, { env, isQuiet: command === "start" }),
  );
  // The supervisor lives as long as the service: it should find its code in the cache at the first start too.
  const supervisor = ["--import", join(root, "lib", "cli", "start.ts"), join(root, "lib", "cli", "main.ts"), "help"];
  must("the start", nodePath(), supervisor, { env: { ...env, NODE_COMPILE_CACHE: compiled }, isQuiet: true });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/**
 * Node's compile cache. A process that finds all of its code there does not load the TypeScript compiler: it starts sooner and
 * uses 25 MB less.
 */
const compiled = process.env.NODE_COMPILE_CACHE ?? join(modules, ".cache", "errand-compiled");

/** Hands over to Node 24 and exits as it does. Passes on signals, and the end of npm, which swallows some of them. */
function handOver(args, env = {}) {
  const child = spawn(nodePath(), args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, NEXT_TELEMETRY_DISABLED: "1", ...env },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 500);
  watch.unref();
  child.on("error", (error) => {
    console.error(`errand: Node 24 cannot be started (${error.message}).`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

/** Benchmarks, on the built product and with the tests' browser. */
function onBuilt(file) {
  build();
  const playwright = join(modules, "playwright", "cli.js");
  const chromium = ensureBrowser(() =>
    must("the download of Chromium", nodePath(), [playwright, "install", "chromium"]),
  );
  const browser = chromium === undefined ? {} : { ERRAND_CHROMIUM: chromium };
  handOver([join(root, file), ...rest], { NODE_ENV: "production", ...browser });
}

const cli = join(root, "lib", "cli", "main.ts");
install();
switch (command) {
  case "start":
    build();
    handOver([cli, "start", ...rest], { NODE_ENV: "production" });
    break;
  case "build":
    build();
    break;
  case "dev":
    handOver([cli, "dev", ...rest], { NODE_ENV: "development" });
    break;
  case "test":
    handOver([join(root, "scripts", "test.mjs"), "short", ...rest]);
    break;
  case "test:rest":
    handOver([join(root, "scripts", "test.mjs"), "rest", ...rest]);
    break;
  case "test:long":
    handOver([join(root, "scripts", "test.mjs"), "long", ...rest]);
    break;
  case "bench":
    onBuilt("bench/main.ts");
    break;
  case "bench:viewer":
    onBuilt("bench/viewer.ts");
    break;
  default:
    handOver([cli, ...(command === "errand" ? rest : process.argv.slice(2))]);
}

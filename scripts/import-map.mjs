// The table of which folder may import which. `node scripts/import-map.mjs` writes biome.imports.json from it, with which the
// linter enforces it; a test compares the two.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folders and files of lib that only the importers listed below may import; all others of lib are open to everybody. */
const guarded = [
  ...["entry", "client", "http", "auth", "service", "search", "store", "tail", "outbound", "webhooks", "engine"],
  ...["agents", "setup", "workspace", "web", "host", "chat", "cli", "runtime", "config.ts", "logger.ts"],
];

const pages = ["#components/**", "#app/**"];
const server = [...pages, "next", "next/**"];
const browser = ["#app/**", "node:*", "zod"];
const anywhere = [...pages, "node:*"];
const plain = [...anywhere, "zod"];

/** Importers, the guarded folders that they may import, and what else they must not. */
const rows = [
  [["lib/contract"], [], anywhere],
  [["lib/entry", "lib/analysis"], ["entry"], plain],
  [["lib/otlp", "lib/claude-code"], ["entry", "outbound", "webhooks", "host", "chat"], plain],
  [["lib/client"], ["entry", "client"], plain],
  [["lib/store"], ["entry", "store", "logger.ts"], server],
  [["lib/search"], ["entry", "search", "store"], server],
  [["lib/outbound"], ["logger.ts"], [...server, "#lib/*/**"]],
  [["lib/egress"], ["outbound", "logger.ts"], [...server, "#lib/secrets/**"]],
  [["lib/webhooks"], ["outbound", "webhooks", "host", "chat", "logger.ts"], server],
  [["lib/tail"], ["store", "tail", "config.ts", "logger.ts"], server],
  [["lib/auth"], ["auth", "store", "config.ts", "logger.ts"], server],
  [["lib/host", "lib/chat"], ["entry", "store", "outbound", "webhooks", "host", "chat", "logger.ts"], server],
  [["lib/secrets"], [], [...server, "#lib/**"]],
  [["lib/limits"], ["entry", "setup", "config.ts", "logger.ts"], server],
  [
    ["lib/service"],
    ["entry", "service", "search", "store", "tail", "outbound", "webhooks", "host", "chat", "config.ts", "logger.ts"],
    server,
  ],
  [
    ["lib/http"],
    ["http", "auth", "service", "tail", "outbound", "webhooks", "host", "chat", "config.ts", "logger.ts"],
    server,
  ],
  [["lib/analyst"], ["entry", "store", "outbound", "webhooks", "setup", "config.ts", "logger.ts"], server],
  [["lib/agents"], ["entry", "outbound", "webhooks", "agents", "setup", "config.ts", "logger.ts"], server],
  [
    ["lib/setup"],
    ["outbound", "webhooks", "setup", "workspace", "config.ts", "logger.ts"],
    [...server, "#lib/analysis/**"],
  ],
  [["lib/workspace"], ["outbound", "webhooks", "workspace", "config.ts", "logger.ts"], server],
  [
    ["lib/engine", "!lib/engine/main.ts"],
    [
      ...["entry", "store", "outbound", "webhooks", "engine", "agents", "setup", "workspace", "host", "chat"],
      ...["config.ts", "logger.ts"],
    ],
    server,
  ],
  [["lib/mcp"], ["entry", "http", "webhooks", "logger.ts"], server],
  [["lib/git"], ["http", "auth", "service", "outbound", "workspace", "logger.ts"], server],
  [["lib/metrics"], ["entry", "http", "auth", "store", "webhooks", "logger.ts"], server],
  [
    ["app/v1", "app/healthz", "app/readyz"],
    ["entry", "http", "service", "host", "chat", "config.ts", "logger.ts"],
    server,
  ],
  [["app/**/*.tsx"], ["entry", "client"], ["#app/**", "node:*"]],
  [["components"], ["entry", "client"], browser],
  [["components/share"], ["entry", "client"], [...browser, "#components/shared-run/**", "#components/trace/page/**"]],
  [
    ["components/pulls"],
    ["entry", "client"],
    [...browser, "#components/feed/**", "#components/trace/page/**", "#components/trace/steps/**"],
  ],
  [
    ["components/changes"],
    ["entry", "client"],
    [...browser, "#components/feed/**", "#components/trace/page/**", "#components/trace/steps/**"],
  ],
  [
    ["components/text"],
    ["entry"],
    [...browser, "#components/trace/**", "#components/feed/**", "#components/session/**", "#components/page/**"],
  ],
  [["components/feed", "components/canvas"], [], [...browser, "#components/trace/**", "#lib/**"]],
];

/** The folders of components/trace: each may import those before it. `*` is the folder itself, without its subfolders. */
const trace = [
  ...["reader", "entry/parts", "entry/tools", "entry/cards", "entry/*"],
  ...["minimap", "timeline", "steps", "page"],
];

/** @param {readonly string[]} folders @param {readonly string[]} never */
function rule(folders, never) {
  const includes = folders.map((folder) => (/\.tsx?$|\*$/.test(folder) ? folder : `${folder}/**`));
  const patterns = [
    { group: never, message: "The import map of ARCHITECTURE.md does not allow this (scripts/import-map.mjs)." },
    {
      group: ["../**"],
      message: "Import from your own folder by ./ and from elsewhere by #lib, #components or #app.",
    },
  ];
  return {
    includes: [...includes, "!**/*.test.ts", "!**/*.fixture.ts", "!**/*-under-test.ts"],
    linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } },
  };
}

/** @param {readonly string[]} may @param {readonly string[]} never */
function neverOf(may, never) {
  const closed = guarded.filter((area) => !may.includes(area));
  return [...closed.map((area) => (area.endsWith(".ts") ? `#lib/${area}` : `#lib/${area}/**`)), ...never];
}

/** Content of biome.imports.json. */
export function importRules() {
  const [viewer] = rows.filter(([folders]) => folders.includes("components"));
  const below = trace.map((folder, place) => {
    const later = trace
      .slice(place + 1)
      .flatMap((other) => [`#components/trace/${other}${other.endsWith("*") ? "" : "/**"}`]);
    return rule(
      [`components/trace/${folder}`],
      [...neverOf(viewer[1], viewer[2]), "#components/shared-run/**", ...later],
    );
  });
  return { overrides: [...rows.map(([folders, may, never]) => rule(folders, neverOf(may, never))), ...below] };
}

const target = fileURLToPath(new URL("../biome.imports.json", import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = importRules().overrides.map((one) => `    ${JSON.stringify(one)}`);
  writeFileSync(target, `{\n  "overrides": [\n${lines.join(",\n")}\n  ]\n}\n`);
}

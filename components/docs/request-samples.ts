import { fillPath } from "#lib/client/request-path.ts";
import { takesBody } from "#lib/contract/openapi/openapi-errors.ts";
import { examplesOf, sampleOf } from "#lib/contract/openapi/openapi-samples.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { shellQuote } from "#lib/shell-quote.ts";
import type { Samples } from "./samples.ts";

/** One request as shown in every language. */
export type SampleRequest = {
  method: string;
  url: string;
  /** Name and value. In a value `$NAME` stands for an environment variable. */
  headers: [string, string][];
  /** Sent as JSON; undefined sends none. */
  body: unknown;
  answers: "json" | "text" | "events";
};

/** Sample request of an operation; `orgId` is the reader's organization. */
export function sampleRequest(operation: AnyOperation, origin: string, orgId: number): SampleRequest {
  const { method, path, scope, sessionOnly, resultType } = operation;
  const ids = Object.fromEntries(Object.keys(operation.params.shape).map((name) => [name, 1]));
  const params = { ...ids, ...examplesOf(operation.params), org_id: orgId };
  const body = takesBody(operation) ? sampleOf(operation.body, "input") : undefined;
  const headers: [string, string][] = [];
  if (sessionOnly) headers.push(["Cookie", "errand_session=$ERRAND_SESSION"], ["Sec-Fetch-Site", "same-origin"]);
  else if (scope !== null) headers.push(["Authorization", "Bearer $ERRAND_TOKEN"]);
  if (body !== undefined) headers.push(["Content-Type", "application/json"]);
  return {
    method,
    url: origin + fillPath(path, params) + exampleQuery(operation),
    headers,
    body,
    answers: resultType === "application/json" ? "json" : resultType === "text/event-stream" ? "events" : "text",
  };
}

function exampleQuery({ query }: AnyOperation): string {
  const parameters = Object.entries(examplesOf(query)).map(([name, value]) => `${name}=${value}`);
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

/**
 * Complete programs that send a request and print the response: for a POSIX shell with curl, for Node 24, and for Python 3
 * without packages. Secrets come from the environment.
 */
export function requestSamples(request: SampleRequest): Samples {
  return { curl: curlSample(request), typescript: typescriptSample(request), python: pythonSample(request) };
}

function curlSample({ method, url, headers, body, answers }: SampleRequest): string {
  // With -d, curl sends a POST anyway, and warns if told to.
  const isPlain = method === (body === undefined ? "GET" : "POST");
  const lines = [`curl ${answers === "events" ? "-N " : ""}${isPlain ? "" : `-X ${method} `}${shellQuote(url)}`];
  for (const [name, value] of headers) lines.push(`  -H "${name}: ${value}"`);
  if (body !== undefined) lines.push(`  -d ${shellQuote(JSON.stringify(body))}`);
  return lines.join(" \\\n");
}

function typescriptSample({ method, url, headers, body, answers }: SampleRequest): string {
  const options: string[] = [];
  if (method !== "GET") options.push(`method: "${method}",`);
  const given = headers.map(([name, value]) => `${/^\w+$/.test(name) ? name : `"${name}"`}: ${typescriptText(value)}`);
  const [only] = given;
  if (given.length === 1) options.push(`headers: { ${only} },`);
  if (given.length > 1) options.push("headers: {", ...given.map((line) => `  ${line},`), "},");
  if (body !== undefined) options.push(...`body: JSON.stringify(${typescriptValue(body)}),`.split("\n"));
  const call = options.length === 0 ? `"${url}"` : `"${url}", {\n${options.map((line) => `  ${line}\n`).join("")}}`;
  return [
    `const response = await fetch(${call});`,
    "if (!response.ok) throw new Error(await response.text());",
    {
      json: "console.log(await response.json());",
      text: "console.log(await response.text());",
      events:
        "const events = response.body?.pipeThrough(new TextDecoderStream()) ?? [];\nfor await (const text of events) process.stdout.write(text);",
    }[answers],
  ].join("\n");
}

function typescriptText(value: string): string {
  const filled = value.replaceAll(/\$(\w+)/g, (_, name: string) => `\${process.env.${name}}`);
  return filled === value ? JSON.stringify(value) : `\`${filled}\``;
}

/** JSON in TypeScript style: names without quotes unless they need them. */
function typescriptValue(value: unknown): string {
  return written(value, {
    nameOf: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
    padding: " ",
  });
}

function pythonSample({ method, url, headers, body, answers }: SampleRequest): string {
  const given = headers.map(([name, value]) => `"${name}": ${pythonText(value)}`);
  const options = [`"${url}",`];
  if (method !== "GET") options.push(`method="${method}",`);
  const [only] = given;
  if (given.length === 1) options.push(`headers={${only}},`);
  if (given.length > 1) options.push("headers={", ...given.map((line) => `    ${line},`), "},");
  if (body !== undefined) options.push(...`data=json.dumps(${pythonValue(body)}).encode(),`.split("\n"));
  const usesJson = body !== undefined || answers === "json";
  const usesEnvironment = headers.some(([, value]) => value.includes("$"));
  return [
    ...(usesJson ? ["import json"] : []),
    ...(usesEnvironment ? ["import os"] : []),
    "import urllib.request",
    "",
    options.length === 1
      ? `request = urllib.request.Request("${url}")`
      : `request = urllib.request.Request(\n${options.map((line) => `    ${line}\n`).join("")})`,
    "with urllib.request.urlopen(request) as response:",
    {
      json: "    print(json.load(response))",
      text: "    print(response.read().decode())",
      events: `    for line in response:\n        print(line.decode(), end="")`,
    }[answers],
  ].join("\n");
}

function pythonText(value: string): string {
  const filled = value.replaceAll(/\$(\w+)/g, (_, name: string) => `{os.environ['${name}']}`);
  return filled === value ? JSON.stringify(value) : `f"${filled}"`;
}

const pythonWords = new Map<unknown, string>([
  [null, "None"],
  [true, "True"],
  [false, "False"],
]);

function pythonValue(value: unknown): string {
  return written(value, { words: pythonWords, indent: "    ", padding: "" });
}

type Spelling = {
  /** Writes a field name; as JSON if absent. */
  nameOf?: (name: string) => string;
  words?: ReadonlyMap<unknown, string>;
  indent?: string;
  /** Braces with their contents, on one line. */
  padding: string;
};

const lineCharactersMax = 60;

/** A JSON value in a language's own syntax: on one line if that is short, otherwise a line per part. */
function written(value: unknown, spelling: Spelling): string {
  const { nameOf = JSON.stringify, words, indent = "  ", padding } = spelling;
  const word = words?.get(value);
  if (word !== undefined) return word;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts = isList
    ? value.map((item) => written(item, spelling))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${written(item, spelling)}`);
  if (parts.length === 0) return open + close;
  const space = isList ? "" : padding;
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length <= lineCharactersMax && !line.includes("\n")) return line;
  const indented = parts.map((part) => `${indent}${part.replaceAll("\n", `\n${indent}`)},`);
  return `${open}\n${indented.join("\n")}\n${close}`;
}

import { fieldsOf } from "#lib/contract/json-fields.ts";

/**
 * A loader of the build (next.config.mjs). What a page needs of a module of the contract is where the operations are, the
 * lists of words and the bounds: the module is run here, whole, and only that is written for the browser. The schemas stay
 * with the service, which checks. A module that exports a function is left as it is written.
 */
export default async function contractForBrowsers(this: { resourcePath: string }, source: string): Promise<string> {
  const file = new URL("file:");
  file.pathname = this.resourcePath;
  const exported = Object.entries(await import(file.href));
  if (exported.some(([, value]) => typeof value === "function")) return source;
  const lines = exported.map(([name, value]) => `export const ${name} = ${written(value)};`);
  return [`import { inert, wordList } from "#lib/client/no-schemas.ts";`, ...lines].join("\n");
}

function written(value: unknown): string {
  const { _zod, options, method, path, resultType } = fieldsOf(value);
  if (_zod !== undefined)
    return options === undefined ? "inert" : `/* @__PURE__ */ wordList(${JSON.stringify(options)})`;
  return JSON.stringify(method === undefined || path === undefined ? value : { method, path, resultType });
}

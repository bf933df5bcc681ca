import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";

/** Version of this program, from the package next to the folder `app`. */
export async function readVersion(appDir: string): Promise<string> {
  const text = await readFile(join(appDir, "../package.json"), "utf8");
  return stringField(fieldsOf(JSON.parse(text)), "version") ?? "unknown";
}

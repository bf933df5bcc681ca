import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { storeConformance } from "#lib/store/conformance.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { openStore } from "./open-store.ts";

const folder = await makeStoreFolder("errand-store-");
after(() => rm(folder, { recursive: true, force: true }));

// Each store begins as a copy of an empty one, because creating every table takes longer than most tests.
const empty = join(folder, "errand.db");
await (await openStore({ file: empty })).close();
let stores = 0;
storeConformance("SQLite", async (now) => {
  stores += 1;
  const file = join(folder, `${stores}`, "errand.db");
  await mkdir(join(folder, `${stores}`));
  await copyFile(empty, file);
  return openStore({ file, now });
});

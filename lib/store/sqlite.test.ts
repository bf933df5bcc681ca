import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { storeConformance } from "./conformance.ts";
import { openStore } from "./open-store.ts";

const folder = await mkdtemp(join(tmpdir(), "errand-store-"));
after(() => rm(folder, { recursive: true, force: true }));

let stores = 0;
storeConformance("SQLite", (now) => {
  stores += 1;
  return openStore({ file: join(folder, `${stores}`, "errand.db"), now });
});

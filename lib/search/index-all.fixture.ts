import { join } from "node:path";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";

/** Indexes the entries in the store of a folder, as an engine would. */
export function indexAll(folder: string): void {
  const source = openEntrySource(join(folder, "errand.db"));
  const index = openSearchIndex(join(folder, "search.db"));
  const indexer = new SearchIndexer({ source, index, owner: "test", now: Date.now });
  while (indexer.step());
  indexer.finish();
  index.close();
  source.close();
}

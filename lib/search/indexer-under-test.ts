/**
 * A process that maintains a search index until it is killed, for tests. Arguments: the store's file, the index file, its own
 * name.
 */
import { setTimeout as wait } from "node:timers/promises";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { openSearchIndex } from "./index-writer.ts";
import { SearchIndexer } from "./indexer.ts";

const [storeFile = "", indexFile = "", owner = ""] = process.argv.slice(2);
// Its clock is ahead of its predecessor's, whose lease has expired by then, and runs a thousand times as fast, so that tails are
// written often.
const now = () => Number(owner) * 86_400_000 + Math.floor(performance.now() * 1000);
const source = openEntrySource(storeFile);
const index = openSearchIndex(indexFile, now);
const indexer = new SearchIndexer({ source, index, owner, now });
process.stdout.write("ready\n");
for (;;) {
  indexer.step();
  await wait(1);
}

// A service for a test: starts a process tree in the folder argv[2], stops it, prints its process ids, and waits to be killed.
import { startContained } from "./contain.ts";
import { busyTree } from "./freeze.fixture.ts";
import { freeze } from "./freeze.ts";

const folder = process.argv[2] ?? "";
const tree = await startContained(busyTree(folder));
tree.stdout.once("data", async () => {
  const isFrozen = await freeze(tree);
  process.stdout.write(`${JSON.stringify({ isFrozen, pids: await tree.list() })}\n`);
  setInterval(() => undefined, 1000);
});

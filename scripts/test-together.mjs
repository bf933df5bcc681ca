// Runs test files one after another in this process. Each is a suite, so that its `before` and `after` are about its own tests;
// `node --test --test-isolation=none` runs those of all files around the tests of all files.
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) {
  suite(file, async () => {
    await import(pathToFileURL(file).href);
  });
}

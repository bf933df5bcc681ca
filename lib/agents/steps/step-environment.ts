/**
 * The environment of the steps: the agent's own without Errand's settings and secrets. The marker stays, because it finds
 * processes that a step left running (lib/workspace/process-tree.ts).
 */
export function stepEnvironment(environment: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isPassedOn(name)));
}

function isPassedOn(name: string): boolean {
  if (name === "ERRAND_PROCESS_MARKER") return true;
  return !name.startsWith("ERRAND_") && !withheld.includes(name);
}

/**
 * NODE_TEST_CONTEXT makes a nested `node --test` report to an outer test runner that is not listening; NODE_COMPILE_CACHE would
 * make the repository's own programs write to Errand's cache.
 */
const withheld = ["NODE_TEST_CONTEXT", "NODE_COMPILE_CACHE"];

/**
 * The environment of the steps: the agent's own without Errand's settings and secrets. The marker stays, because it is how what
 * a step left running is found and ended (lib/workspace/process-tree.ts).
 */
export function stepEnvironment(environment: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isPassedOn(name)));
}

function isPassedOn(name: string): boolean {
  if (name === "ERRAND_PROCESS_MARKER") return true;
  return !name.startsWith("ERRAND_") && !withheld.includes(name);
}

/**
 * NODE_TEST_CONTEXT makes a `node --test` below report to a test runner above that is not listening; NODE_COMPILE_CACHE would
 * have the repository's own programs leave theirs among Errand's.
 */
const withheld = ["NODE_TEST_CONTEXT", "NODE_COMPILE_CACHE"];

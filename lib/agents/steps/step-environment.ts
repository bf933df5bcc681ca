/**
 * The environment of the steps: the agent's own without Errand's settings and secrets. The marker stays, because it is how what
 * a step left running is found and ended (lib/workspace/process-tree.ts).
 */
export function stepEnvironment(environment: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isPassedOn(name)));
}

function isPassedOn(name: string): boolean {
  if (name === "ERRAND_PROCESS_MARKER") return true;
  // NODE_TEST_CONTEXT makes a `node --test` below report to a test runner above that is not listening.
  return !name.startsWith("ERRAND_") && name !== "NODE_TEST_CONTEXT";
}

/** The environment of a child as child_process wants it. */
export function processEnvironment(env: NodeJS.Dict<string>): NodeJS.ProcessEnv {
  // Next declares NODE_ENV as always set, which is true for Next's own process but not for child processes.
  return env as NodeJS.ProcessEnv;
}

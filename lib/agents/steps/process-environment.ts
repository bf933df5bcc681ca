/** The environment of a child as child_process wants it. */
export function processEnvironment(env: NodeJS.Dict<string>): NodeJS.ProcessEnv {
  // Next declares NODE_ENV as always set, which holds for Next's own process and need not for a child of ours.
  return env as NodeJS.ProcessEnv;
}

/** Environment variables as config.ts passes them on; git and agents see no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The same for child_process. */
export function toProcessEnv(env: Environment): NodeJS.ProcessEnv {
  // Next declares NODE_ENV as always set, which is true for Next's own process but not for our child processes.
  return { ...env } as NodeJS.ProcessEnv;
}

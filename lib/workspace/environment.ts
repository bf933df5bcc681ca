/** Environment variables as config.ts hands them on; git and agents see nothing that is not in it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The same for child_process. */
export function toProcessEnv(env: Environment): NodeJS.ProcessEnv {
  // Next declares NODE_ENV as always set, which holds for Next's own process and need not for a child of ours.
  return { ...env } as NodeJS.ProcessEnv;
}

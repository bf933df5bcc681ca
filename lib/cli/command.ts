import type { Config } from "#lib/config.ts";
import { UsageError } from "./usage-error.ts";

const usage = `Usage: npm run --silent errand -- COMMAND

  start                     start web and engine; npm start also builds if needed
  dev                       the same two processes, reloading (npm run dev)
  login [--email ADDRESS]   print a sign-in link for the first owner, or for the person
                            with ADDRESS; it works once, within 15 minutes. Whoever
                            uses it can set a new password without the old one
  token create --name NAME [--role owner|admin|member|viewer] [--days N]
               [--status-style errand|reference]
                            print a new API token and nothing else
  organization create --name NAME
                            create an organization and print its id
  repo add PATH_OR_URL [--name NAME]
                            add a repository and print its id
  bench seed --entries N [--seed S] [--url URL --token TOKEN]
                            create an external run of N entries while Errand
                            runs, and print its id
  backup FILE.tar [--with-key]
                            copy the store and the mirrors into one file, even while
                            Errand runs; FILE.tar.gz is compressed. Leaves out the
                            secret key unless --with-key is given
  restore FILE.tar          put a backup into an empty data folder
  compact                   rewrite the store while Errand is stopped: frees disk
                            space and leaves no deleted data in the file
  upgrade-store             make the store of an earlier version of Errand one of this
                            version, while Errand is stopped
  doctor                    check installed programs, agents and the store
  doctor --host github|gitlab|forgejo
                            check what the connected code host lets its account do
                            with each repository; changes nothing there
  help                      this text

Settings come from the environment: PORT, HOST, ERRAND_DATA_DIR, ERRAND_PUBLIC_URL; docs/settings.md lists them all.
`;

/** Commands that run the service. The supervisor reads no settings itself. */
const modes: Record<string, "production" | "development"> = { start: "production", dev: "development" };

/** Each command returns the exit code. They are imported on use: a service should not pay for the others. */
const commands: Record<string, (config: Config, words: string[]) => Promise<number>> = {
  login: async (config, words) => (await import("./login.ts")).login(config, words),
  token: async (config, words) => (await import("./token.ts")).token(config, words),
  organization: async (config, words) => (await import("./organization.ts")).organization(config, words),
  repo: async (config, words) => (await import("./repo.ts")).repo(config, words),
  bench: async (config, words) => (await import("./bench.ts")).bench(config, words),
  backup: async (config, words) => (await import("./backup.ts")).backup(config, words),
  restore: async (config, words) => (await import("./restore.ts")).restore(config, words),
  compact: async (config, words) => (await import("./compact.ts")).compact(config, refuseWords("compact", words)),
  "upgrade-store": async (config, words) =>
    (await import("./upgrade-store.ts")).upgradeStore(config, refuseWords("upgrade-store", words)),
  doctor: async (config, words) => {
    if (words.length > 0) return (await import("./doctor-host.ts")).doctorOfHost(config, words);
    return (await import("./doctor.ts")).doctor(config, []);
  },
};

/** For commands without arguments: a given argument must have been meant for something. */
function refuseWords(command: string, words: string[]): [] {
  if (words.length > 0) throw new UsageError(`${command} takes no arguments; got "${words.join(" ")}"`);
  return [];
}

/**
 * Runs a command of the CLI with settings from `env`. Returns the exit code. Throws UsageError if it cannot be carried out as
 * written.
 */
export async function runCommand([name, ...words]: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(usage);
    return name === undefined ? 2 : 0;
  }
  const command = findCommand(name);
  if (command === undefined) throw new UsageError(`unknown command "${name}"; see \`npm run --silent errand -- help\``);
  if (words.includes("--help") || words.includes("-h")) {
    process.stdout.write(usage);
    return 0;
  }
  return command(env, words);
}

function findCommand(name: string): ((env: NodeJS.ProcessEnv, words: string[]) => Promise<number>) | undefined {
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  if (mode !== undefined) return async () => (await import("./start.ts")).start(mode);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command && (async (env, words) => command((await import("#lib/config.ts")).readConfig(env), words));
}

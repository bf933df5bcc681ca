import type { Environment } from "./environment.ts";

/**
 * Settings passed to every git command. They override every file git reads, so neither the user's settings nor a repository can
 * make git run a program or ask a question. safe.directory: data folders and registered repositories may belong to another user
 * id.
 */
export const gitSettings: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.quotePath=false",
  "core.askPass=true",
  "credential.helper=",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "gc.auto=0",
  "gc.autoDetach=false",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "protocol.ext.allow=never",
  // A redirect would go to a host that was not checked.
  "http.followRedirects=false",
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
  "safe.directory=*",
].flatMap((setting) => ["-c", setting]);

/** Transports git may use; all others (`ext::`, `fd::`, remote helpers) are refused by git itself. */
const protocolsAllowed = "file:https:http:ssh:git";

const inherited = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
];

/**
 * The whole environment of a git command: only what it needs to find programs, keys and proxies; above all no GIT_DIR of a hook
 * that may have started Errand. English messages, no prompts, no settings files.
 */
export function gitEnvironment(env: Environment): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of inherited) {
    const value = env[name];
    if (value !== undefined && value !== "") result[name] = value;
  }
  return {
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes -o ConnectTimeout=30",
    ...result,
    LC_ALL: "C",
    GIT_ALLOW_PROTOCOL: protocolsAllowed,
    GIT_ASKPASS: "true",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    // References of mirrors are read and written as files.
    GIT_DEFAULT_REF_FORMAT: "files",
    GIT_EDITOR: "true",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
  };
}

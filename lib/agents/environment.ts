import type { PermissionMode } from "#lib/contract/runs/run.ts";
import type { AgentProfile } from "./agent.ts";

const passed = new Set([
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "LOGNAME",
  "SHELL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
]);

/**
 * The environment of an agent: the service's general variables (paths, language, proxies, certificates) and those that the
 * profile names, then the profile's own and those of the permission mode. None of Errand's variables is passed on, except the
 * folder that a profile requests by `homeVariable`. Without PATH the system's default is used; an empty HOME is replaced by the
 * agent's home.
 */
export function agentEnvironment(
  environment: Record<string, string>,
  profile: Pick<AgentProfile, "env" | "modeEnv" | "passEnv" | "homeVariable">,
  agentHome: string | null,
  permissionMode: PermissionMode = "auto",
): Record<string, string> {
  const own = Object.entries(environment).filter(
    ([name, value]) =>
      !name.startsWith("ERRAND_") && value !== "" && (isGeneral(name) || profile.passEnv.includes(name)),
  );
  const env: Record<string, string> = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...(agentHome === null ? {} : { HOME: agentHome }),
    ...Object.fromEntries(own),
    ...profile.env,
    ...profile.modeEnv?.[permissionMode],
  };
  if (profile.homeVariable !== null && agentHome !== null) env[profile.homeVariable] = agentHome;
  return env;
}

function isGeneral(name: string): boolean {
  // Programs also read the proxy variables in lower case, and some only in lower case.
  return passed.has(name.toUpperCase()) || /^(LC|SSL_CERT|XDG)_/.test(name);
}

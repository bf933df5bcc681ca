import { forgejoHost } from "./forgejo/forgejo.ts";
import { githubHost } from "./github/github.ts";
import { gitlabHost } from "./gitlab/gitlab.ts";
import type { Host, HostKind, HostSettings } from "./host.ts";

const kinds: Record<HostKind, (settings: HostSettings) => Host> = {
  github: githubHost,
  gitlab: gitlabHost,
  forgejo: forgejoHost,
};

/** The host of that kind at that address. Calls nothing yet. */
export function openHost(kind: HostKind, settings: HostSettings): Host {
  return kinds[kind](settings);
}

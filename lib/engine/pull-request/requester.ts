import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/** The person who asked for a run's work; `login`: their login on the host, in lower case, or null. */
export type Requester = { name: string | null; email: string | null; login: string | null };

/** Finds the person who asked for it last; null if no person did. */
export async function findRequester(
  { store }: Pick<PullParts, "store">,
  { pull, run }: Pick<PullWork, "pull" | "run">,
  integration: IntegrationRow,
): Promise<Requester | null> {
  const userId = pull.userId ?? run.userId;
  if (userId === null) return null;
  const access = { organizationId: pull.organizationId, userId: null };
  const person = await store.organizations.findUser(access, userId);
  if (person === null) return null;
  const link = (await store.links.list(access, integration.id)).find((one) => one.userId === userId);
  const onGithub = integration.type === "github" ? person.githubUsername : null;
  const login = link?.externalId ?? onGithub;
  return { name: person.fullName ?? person.email, email: person.email, login: login?.toLowerCase() ?? null };
}

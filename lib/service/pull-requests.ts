import { notFound } from "#lib/contract/error.ts";
import { findRepository } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

/** There is no pull request to change: runs open none yet. */
export async function editPullRequest(): Promise<never> {
  throw notFound("Pull request");
}

/** {@link editPullRequest} for a repository; 404 if it does not exist. */
export async function editRepositoryPullRequest(
  context: OrganizationContext,
  { params }: { params: { repo_id: number } },
): Promise<never> {
  await findRepository(context, params.repo_id);
  throw notFound("Pull request");
}

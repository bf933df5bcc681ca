import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import type { CreateRepository, Repository, UpdateRepository } from "#lib/contract/repositories/repository.ts";
import { shownSource } from "#lib/shown-source.ts";
import type { RepositoryRow } from "#lib/store/store.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { nameOfSource } from "./repository-name.ts";
import { normalizedSource } from "./repository-source.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { params: { repo_id: number } };

/** Repositories by name. */
export async function listRepositories(
  context: OrganizationContext,
  { query }: { query: Paging & { q?: string | undefined } },
) {
  const rows = rowsOf(query);
  const filter = query.q === undefined ? {} : { q: query.q };
  const { items, total } = await context.store.repositories.list(context.access, filter, rows);
  return pageOf(items.map(presentRepository), total, rows);
}

/**
 * Adds a repository, or returns the existing one with the same source. 400 with the reason if the source cannot be
 * read.
 */
export async function createRepository(
  context: OrganizationContext,
  { body }: { body: CreateRepository },
): Promise<Repository> {
  const source = normalizedSource(body.source);
  const report = await inspect(context, source).catch((error: unknown) => {
    throw isSourceError(error) ? invalidField(["source"], error.message) : error;
  });
  const integrations = await context.store.integrations.list(context.access);
  const added = {
    ...(body.name == null ? nameOfSource(source, integrations) : { name: body.name, fullName: body.name }),
    description: body.description ?? null,
    source,
    defaultBranch: report.defaultBranch,
    // Only admins decide what agents may reach.
    opensHost: context.member.scopes.includes("org:admin"),
  };
  return await context.store.transaction(async (store) => {
    const { repository, created } = await store.repositories.add(context.access, added);
    if (created) {
      const details = { source: shownSource(repository.source) };
      await recordAct(store, context, { act: "repository.added", object: repositoryObject(repository), details });
    }
    return presentRepository(repository);
  });
}

/** One repository. */
export async function getRepository(context: OrganizationContext, { params }: OfRepository): Promise<Repository> {
  return presentRepository(await findRepository(context, params.repo_id));
}

/** Changes its display name, its description, and whether its submodules are fetched. */
export async function updateRepository(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: UpdateRepository },
): Promise<Repository> {
  return await context.store.transaction(async (store) => {
    const before = await store.repositories.find(context.access, params.repo_id);
    if (before === null) throw notFound("Repository");
    await requireMatch(context, () => presentRepository(before));
    const changes = {
      ...(body.name === undefined ? {} : { name: body.name, fullName: body.name }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.fetch_submodules === undefined ? {} : { fetchSubmodules: body.fetch_submodules }),
    };
    const repository = await store.repositories.update(context.access, params.repo_id, changes);
    if (repository === null) throw notFound("Repository");
    const details: Record<string, unknown> = {};
    if (before.fullName !== repository.fullName) details.name_before = before.fullName;
    if (before.description !== repository.description) details.description = repository.description;
    if (before.fetchSubmodules !== repository.fetchSubmodules) details.fetch_submodules = repository.fetchSubmodules;
    if (Object.keys(details).length > 0) {
      await recordAct(store, context, { act: "repository.changed", object: repositoryObject(repository), details });
    }
    return presentRepository(repository);
  });
}

/** Current branches of the source. 409 if it cannot be read now. */
export async function listBranches(context: OrganizationContext, { params }: OfRepository) {
  const repository = await findRepository(context, params.repo_id);
  const report = await inspect(context, repository.source).catch((error: unknown) => {
    throw isSourceError(error) ? new ApiError("conflict", error.message) : error;
  });
  if (report.defaultBranch !== repository.defaultBranch) {
    await context.store.repositories.setDefaultBranch(repository.id, report.defaultBranch);
  }
  return { default_branch: report.defaultBranch, branches: report.branches };
}

/** The repository, or 404. */
export async function findRepository(context: OrganizationContext, repositoryId: number): Promise<RepositoryRow> {
  const repository = await context.store.repositories.find(context.access, repositoryId);
  if (repository === null) throw notFound("Repository");
  return repository;
}

/** A repository as the audit log names it. */
export const repositoryObject = ({ id, fullName }: Pick<RepositoryRow, "id" | "fullName">) => ({
  type: "repository",
  id,
  name: fullName,
});

/** Current state of a source, read as the caller's organization may. Throws as `inspectRepository` does. */
export function inspect({ inspectRepository, access, signal }: OrganizationContext, source: string) {
  return inspectRepository(source, access.organizationId, signal);
}

/** True if a source cannot be used; the message may be shown. */
export function isSourceError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("source_");
}

function presentRepository(repository: RepositoryRow): Repository {
  return {
    id: repository.id,
    name: repository.name,
    full_name: repository.fullName,
    description: repository.description,
    github_id: "",
    organization_id: repository.organizationId,
    visibility: null,
    archived: null,
    setup_status: repository.setupStatus,
    language: null,
    source: shownSource(repository.source),
    default_branch: repository.defaultBranch,
    fetch_submodules: repository.fetchSubmodules,
    created_at: repository.createdAt,
  };
}

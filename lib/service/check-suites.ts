import { notFound } from "#lib/contract/error.ts";
import {
  type CheckSuiteSettings,
  checkSuiteDefaults,
  type PutCheckSuiteSettings,
  type ShownCheckSuiteSettings,
} from "#lib/contract/repositories/check-suite.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { findRepository, repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { query: { repo_id: number } };

/** A repository's check settings, or the defaults. */
export async function getCheckSuiteSettings(
  context: OrganizationContext,
  { query }: OfRepository,
): Promise<ShownCheckSuiteSettings> {
  const repository = await findRepository(context, query.repo_id);
  const { store, access } = context;
  const settings = (await store.repositories.findChecks(access, repository.id)) ?? checkSuiteDefaults;
  return { ...settings, available_check_suite_names: await store.pulls.listCheckNames(access, repository.id) };
}

/** Sets the given fields and keeps the others. */
export async function putCheckSuiteSettings(
  context: OrganizationContext,
  { query, body }: OfRepository & { body: PutCheckSuiteSettings },
): Promise<ShownCheckSuiteSettings> {
  return await context.store.transaction(async (store) => {
    const repository = await store.repositories.find(context.access, query.repo_id);
    if (repository === null) throw notFound("Repository");
    await requireMatch(context, () => getCheckSuiteSettings({ ...context, store }, { query }));
    const before = (await store.repositories.findChecks(context.access, repository.id)) ?? checkSuiteDefaults;
    const settings: CheckSuiteSettings = {
      check_retry_count: body.check_retry_count ?? before.check_retry_count,
      ignored_checks: body.ignored_checks ?? before.ignored_checks,
      check_retry_counts: body.check_retry_counts ?? before.check_retry_counts,
      custom_prompts: body.custom_prompts ?? before.custom_prompts,
      high_priority_apps: body.high_priority_apps ?? before.high_priority_apps,
    };
    await store.repositories.putChecks(context.access, repository.id, settings);
    const given = Object.entries(body).flatMap(([name, value]) => (value == null ? [] : [name]));
    await recordAct(store, context, {
      act: "repository.checks_changed",
      object: repositoryObject(repository),
      details: { fields: given.join(", ") },
    });
    const names = await store.pulls.listCheckNames(context.access, repository.id);
    return { ...settings, available_check_suite_names: names };
  });
}

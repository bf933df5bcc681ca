import assert from "node:assert/strict";
import { fillPath } from "#lib/client/request-path.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";

/** An id that does not exist. */
export const nobodys = 999_999;

/** Whether the operation may change something. */
export const isUnsafe = ({ method }: AnyOperation) => method !== "GET";

/** Whether the operation belongs to an organization, so that only members may call it. */
export const inOrganization = ({ path }: AnyOperation) => path.includes("{org_id}");

/** The names in an operation's path. */
export const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** A path in the first organization; other names get an id that does not exist. */
export function pathTo(path: string, params: Record<string, unknown> = {}): string {
  const nothing = Object.fromEntries(namesIn(path).map((name) => [name, nobodys]));
  return fillPath(path, { ...nothing, org_id: 1, ...params });
}

/** Values for the names in an operation's path, and the query after it. */
export function partsOf({ id, path }: AnyOperation, target: string): { params: Record<string, string>; query: string } {
  const pattern = new RegExp(
    `^${path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/?]+)")}(?<query>\\?.*)?$`,
  );
  const groups = pattern.exec(target)?.groups;
  assert.ok(groups !== undefined || pattern.test(target), `${target} is no path of ${id}`);
  const { query = "", ...params } = groups ?? {};
  return { params, query };
}

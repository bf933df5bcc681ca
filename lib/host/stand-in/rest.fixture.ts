import type { HostPermission, HostThread } from "#lib/host/host.ts";
import { type HostState, hostLogin, type KeptComment, type Pull } from "./host-state.fixture.ts";

/** A call of a host's API: its path without the prefix of the API. */
export type RestRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  authorization: string;
};

/** A request below a repository: `rest` is the path after its name. */
export type RepositoryRequest = Pick<RestRequest, "method" | "query" | "body"> & {
  fullName: string;
  rest: string;
  baseUrl: string;
};

/** `text` instead of JSON. */
export type RestAnswer = { status: number; json?: unknown; text?: string; headers?: Record<string, string> };

/** A dialect's response; null for an unknown address. */
export type Dialect = (state: HostState, request: RestRequest, baseUrl: string) => Promise<RestAnswer | null>;

export const ok = (json: unknown): RestAnswer => ({ status: 200, json });
export const made = (json: unknown): RestAnswer => ({ status: 201, json });
export const missing: RestAnswer = { status: 404, json: { message: "Not Found" } };

/** A page of a list, by `page` and page size. */
export function pageOf<Item>(
  list: readonly Item[],
  query: URLSearchParams,
  size: { name: string; usual: number; most: number },
) {
  const count = Math.min(size.most, Number(query.get(size.name) ?? size.usual));
  const page = Math.max(1, Number(query.get("page") ?? 1));
  return { items: list.slice((page - 1) * count, page * count), next: page * count < list.length ? page + 1 : null };
}

/** The person with a name, ignoring case; responses spell it as its person does. */
export function personNamed(state: HostState, asked: string) {
  const [login, person] = [...state.people].find(([one]) => one.toLowerCase() === asked.toLowerCase()) ?? [];
  return login === undefined || person === undefined ? null : { login, ...person };
}

/** Stores a comment of the service's account. */
export function keepComment(state: HostState, thread: HostThread, body: unknown): KeptComment {
  const id = state.nextId();
  const comment = { ...thread, id, author: hostLogin, body: String(body), createdAt: state.now().toISOString() };
  state.comments.push(comment);
  return comment;
}

export function commentsIn(state: HostState, repository: string, number: number): KeptComment[] {
  return state.comments.filter((one) => one.repository === repository && one.number === number).reverse();
}

export const presentedComment = ({ id, body, createdAt }: KeptComment, baseUrl: string) => ({
  id,
  body,
  created_at: createdAt,
  html_url: `${baseUrl}/comments/${id}`,
});

export const mayReview = (permission: HostPermission) => permission !== "none";

/** Whether a pull request of this branch and base is open already. */
export function hasOpen(
  state: HostState,
  fullName: string,
  { branch, baseBranch }: Pick<Pull, "branch" | "baseBranch">,
) {
  return state
    .pullsOf(fullName)
    .some((pull) => isOpen(pull) && pull.fork === null && pull.branch === branch && pull.baseBranch === baseBranch);
}

export const isOpen = (pull: Pull) => pull.isOpen && pull.isMerged !== true;

/** The text of a field of a request; undefined if it is absent. */
export function textOf(body: Record<string, unknown>, field: string): string | undefined {
  const value = body[field];
  return typeof value === "string" ? value : undefined;
}

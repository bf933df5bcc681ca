import { z } from "zod";
import { callHost, type HostCall, HostError, nullIfUnseen } from "#lib/host/call-host.ts";
import type { Host, HostPermission, HostSettings, HostThread } from "#lib/host/host.ts";
import { markdownFor } from "#lib/host/outgoing.ts";
import { gitlabPulls } from "./pulls.ts";

const User = z.object({ username: z.string(), bot: z.boolean().nullish() });
const Person = z.object({ id: z.int(), username: z.string() });
const Member = z.object({ access_level: z.int() });
const MergeRequest = z.object({
  state: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  // Null if the fork is gone.
  source_project_id: z.int().nullish(),
  target_project_id: z.int(),
});
const Branch = z.object({ name: z.string() });
const Note = z.object({ id: z.int(), body: z.string().nullish() });

/** GitLab, through its REST API version 4 (https://docs.gitlab.com/api/rest/). A repository is named by its whole path. */
export function gitlabHost({ baseUrl, credential, send }: HostSettings): Host {
  const api = `${baseUrl}/api/v4`;
  const token = credential.kind === "token" ? credential.token : "";
  const call = (signal: AbortSignal): HostCall => ({
    title: "GitLab",
    send,
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  const linkTo = (thread: HostThread, id: number) =>
    `${baseUrl}/${thread.repository}/-/${thread.subject === "pull" ? "merge_requests" : "issues"}/${thread.number}#note_${id}`;
  return {
    gitToken: async () => token,
    pulls: gitlabPulls(api, call),

    async identity(signal) {
      const { username, bot } = await callHost(call(signal), { method: "GET", url: `${api}/user` }, User);
      return { login: username, kind: bot === true ? "app" : "user" };
    },

    async person(login, signal) {
      const url = `${api}/users?${new URLSearchParams({ username: login })}`;
      const [found] = await callHost(call(signal), { method: "GET", url }, z.array(Person));
      return found === undefined ? null : { id: found.id, login: found.username };
    },

    async permission(repository, { id }, signal) {
      const url = `${api}/projects/${encodeURIComponent(repository)}/members/all/${id}`;
      try {
        const { access_level } = await callHost(call(signal), { method: "GET", url }, Member);
        return permissionOf(access_level);
      } catch (error) {
        if (error instanceof HostError && error.status === 404) return "none";
        throw error;
      }
    },

    async pull(repository, number, signal) {
      const url = `${api}/projects/${encodeURIComponent(repository)}/merge_requests/${number}`;
      const found = await nullIfUnseen(callHost(call(signal), { method: "GET", url }, MergeRequest));
      if (found === null) return null;
      // A merge request stays open when its branch is deleted.
      const isGone = async (branch: string) => {
        const place = `${api}/projects/${encodeURIComponent(repository)}/repository/branches/${encodeURIComponent(branch)}`;
        try {
          await callHost(call(signal), { method: "GET", url: place }, Branch);
          return false;
        } catch (error) {
          if (error instanceof HostError && error.status === 404) return true;
          // Without the right to list branches, nothing is known about this one.
          if (error instanceof HostError && error.status === 403) return false;
          throw error;
        }
      };
      const isOwn = found.source_project_id === found.target_project_id;
      const isOpen = found.state === "opened";
      const head = {
        branch: found.source_branch,
        isOwn,
        isGone: isOpen && isOwn && (await isGone(found.source_branch)),
      };
      return { isOpen, head, baseBranch: found.target_branch };
    },

    // A reviewer's remarks are comments like all others there.
    review: async () => null,

    async reply(thread, body, signal) {
      const url = `${api}${subjectOf(thread)}${thread.replyTo === null ? "" : `/discussions/${encodeURIComponent(thread.replyTo)}`}/notes`;
      const { id } = await callHost(
        call(signal),
        { method: "POST", url, body: { body: markdownFor("gitlab", body) } },
        Note,
      );
      return { id: String(id), url: linkTo(thread, id) };
    },

    async findReply(thread, text, since, signal) {
      const query = new URLSearchParams({ sort: "desc", order_by: "created_at", per_page: "100" });
      const Dated = z.array(Note.extend({ created_at: z.string() }));
      const url = `${api}${subjectOf(thread)}/notes?${query}`;
      const notes = await callHost(call(signal), { method: "GET", url }, Dated);
      const isSince = (at: string) => Date.parse(at) >= since.getTime();
      const found = notes.find(({ body, created_at }) => isSince(created_at) && body?.includes(text));
      return found === undefined ? null : { id: String(found.id), url: linkTo(thread, found.id) };
    },
  };
}

/** Levels of https://docs.gitlab.com/api/access_requests/: 20 reporter, 30 developer, 40 maintainer, 50 owner. */
function permissionOf(level: number): HostPermission {
  if (level >= 40) return "admin";
  if (level >= 30) return "write";
  return level > 0 ? "read" : "none";
}

function subjectOf({ repository, subject, number }: HostThread): string {
  return `/projects/${encodeURIComponent(repository)}/${subject === "pull" ? "merge_requests" : "issues"}/${number}`;
}

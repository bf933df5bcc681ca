import { z } from "zod";
import { branchOfRef, EventRef, EventRepository, type HostChange, hostChangeOf } from "#lib/host/host-change.ts";

const repository = EventRepository;
const Head = z.object({ head_sha: z.string() });
/** Events of checks, and where each has its commit. */
const checkEvents: Record<string, z.ZodType<{ repository: { full_name: string }; commit: string }>> = {
  check_run: z
    .object({ check_run: Head, repository })
    .transform((event) => ({ ...event, commit: event.check_run.head_sha })),
  check_suite: z
    .object({ check_suite: Head, repository })
    .transform((event) => ({ ...event, commit: event.check_suite.head_sha })),
  workflow_run: z
    .object({ workflow_run: Head, repository })
    .transform((event) => ({ ...event, commit: event.workflow_run.head_sha })),
  workflow_job: z
    .object({ workflow_job: Head, repository })
    .transform((event) => ({ ...event, commit: event.workflow_job.head_sha })),
  status: z.object({ sha: z.string(), repository }).transform((event) => ({ ...event, commit: event.sha })),
};
const Pull = z.object({ pull_request: z.object({ number: z.int() }), repository });
const Push = z.object({ ref: EventRef, repository });

/**
 * The change in an event of GitHub to a pull request or its checks
 * (https://docs.github.com/webhooks/webhook-events-and-payloads); null for other events. Forgejo and Gitea have some of them, with
 * the same fields.
 */
export function readGithubChange(name: string, payload: unknown): HostChange | null {
  if (name === "pull_request") {
    const event = Pull.safeParse(payload).data;
    return event === undefined ? null : hostChangeOf(event.repository.full_name, { number: event.pull_request.number });
  }
  if (name === "push") {
    const event = Push.safeParse(payload).data;
    return event === undefined ? null : hostChangeOf(event.repository.full_name, { branch: branchOfRef(event.ref) });
  }
  const event = Object.hasOwn(checkEvents, name) ? checkEvents[name]?.safeParse(payload).data : undefined;
  return event === undefined ? null : hostChangeOf(event.repository.full_name, { commit: event.commit });
}

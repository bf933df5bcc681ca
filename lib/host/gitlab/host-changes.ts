import { z } from "zod";
import { branchOfRef, EventRef, type HostChange, hostChangeOf } from "#lib/host/host-change.ts";

const Project = z.object({ path_with_namespace: z.string() });
const Pipeline = z.object({
  project: Project,
  object_attributes: z.object({ sha: z.string() }),
  // A pipeline for merged results runs at a commit that no branch has.
  merge_request: z.object({ iid: z.int() }).nullish(),
});
const Job = z.object({ project: Project, sha: z.string() });
const MergeRequest = z.object({ project: Project, object_attributes: z.object({ iid: z.int() }) });
const Push = z.object({ project: Project, ref: EventRef });

/**
 * The change in an event of GitLab to a merge request or its pipelines
 * (https://docs.gitlab.com/user/project/integrations/webhook_events/); null for other events.
 */
export function readGitlabChange(name: string, payload: unknown): HostChange | null {
  switch (name) {
    case "Pipeline Hook": {
      const event = Pipeline.safeParse(payload).data;
      if (event === undefined) return null;
      const { project, object_attributes, merge_request } = event;
      return hostChangeOf(project.path_with_namespace, { commit: object_attributes.sha, number: merge_request?.iid });
    }
    case "Job Hook": {
      const event = Job.safeParse(payload).data;
      return event === undefined ? null : hostChangeOf(event.project.path_with_namespace, { commit: event.sha });
    }
    case "Merge Request Hook": {
      const event = MergeRequest.safeParse(payload).data;
      if (event === undefined) return null;
      return hostChangeOf(event.project.path_with_namespace, { number: event.object_attributes.iid });
    }
    case "Push Hook": {
      const event = Push.safeParse(payload).data;
      if (event === undefined) return null;
      return hostChangeOf(event.project.path_with_namespace, { branch: branchOfRef(event.ref) });
    }
    default:
      return null;
  }
}

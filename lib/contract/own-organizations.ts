import { z } from "zod";
import { defineOperation, Id } from "./define-operation.ts";
import { Organization, User } from "./organization.ts";
import { FilledText } from "./text.ts";

const tag = "Organizations and users";

/** Who is signed in and where: the caller's person with the role in the organization that the dashboard shows. */
export const CurrentSession = z.object({
  user: User.describe("The caller's person"),
  organization: Organization.nullable().describe(
    "The token's, or the one that the session has chosen, else its person's first; null for a person without any",
  ),
  is_instance_owner: z.boolean().describe("May create organizations"),
});
export type CurrentSession = z.infer<typeof CurrentSession>;

export const getSession = defineOperation({
  id: "getSession",
  method: "GET",
  path: "/v1/session",
  tag: "Session",
  summary: "Get who is signed in and the chosen organization",
  scope: "any",
  result: CurrentSession,
});

export const chooseOrganization = defineOperation({
  id: "chooseOrganization",
  method: "PATCH",
  path: "/v1/session",
  tag: "Session",
  summary: "Switch the session to another organization of its person",
  description:
    "The dashboard shows the chosen organization until another one is chosen or its person leaves it. A token belongs to one " +
    "organization: naming another one is 403.",
  scope: "any",
  body: z.object({ organization_id: z.int().min(1).describe("The organization to show") }),
  result: CurrentSession,
});

export const createOrganization = defineOperation({
  id: "createOrganization",
  method: "POST",
  path: "/v1/organizations",
  tag,
  summary: "Create an organization",
  description:
    "For the owner of the instance: the person who started it first. They become the owner of the new organization too. A token " +
    "needs the scope `org:admin`, and cannot reach the new organization: it belongs to its own.",
  scope: "any",
  rateClass: "edit",
  body: z.object({ name: FilledText(100).describe("The new organization's name") }),
  result: Organization,
});

export const findRunOrganization = defineOperation({
  id: "findRunOrganization",
  method: "GET",
  path: "/v1/agent/run/{agent_run_id}/organization",
  tag,
  summary: "Find which of the caller's organizations a run belongs to",
  description:
    "Run ids are unique in the instance. A run of an organization that is not the caller's is 404, as one that does not exist.",
  scope: "any",
  params: z.object({ agent_run_id: Id }),
  result: Organization,
});

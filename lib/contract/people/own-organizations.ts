import { z } from "zod";
import { defineOperation, Id } from "#lib/contract/define-operation.ts";
import { NameText } from "#lib/contract/text.ts";
import { Organization, User } from "./organization.ts";

/** The signed-in person, with the role in the organization that their dashboard shows. */
export const CurrentSession = z.object({
  user: User.describe("The caller"),
  organization: Organization.nullable().describe(
    "A token's organization; in a session, the chosen one, or else the person's first; null for a person without any",
  ),
  is_instance_owner: z.boolean().describe("Whether they may create organizations"),
});
export type CurrentSession = z.infer<typeof CurrentSession>;

export const getSession = defineOperation({
  id: "getSession",
  summary: "Get the signed-in person and the chosen organization",
  scope: "any",
  result: CurrentSession,
});

export const chooseOrganization = defineOperation({
  id: "chooseOrganization",
  summary: "Switch the session to another organization",
  description:
    "The dashboard shows the chosen organization until another one is chosen or the person leaves it. A token belongs to one " +
    "organization: naming another one gives 403.",
  scope: "any",
  body: z.object({ organization_id: z.int().min(1).describe("The organization to show") }),
  result: CurrentSession,
});

export const createOrganization = defineOperation({
  id: "createOrganization",
  summary: "Create an organization",
  description:
    "For the owner of the installation: the person for whom its first start printed a sign-in link. They own the new one too. " +
    "A token needs the role `owner` and the scope `org:admin`; it still works only in the organization it was created in.",
  scope: "any",
  rateClass: "edit",
  body: z.object({ name: NameText(100).describe("The new organization's name").meta({ example: "Workshop" }) }),
  result: Organization,
  idempotent: "once",
});

export const findRunOrganization = defineOperation({
  id: "findRunOrganization",
  summary: "Find which of the caller's organizations a run belongs to",
  description:
    "Run ids are unique across the installation. A run of an organization the caller is not in gives 404, like one that does not exist.",
  scope: "any",
  params: z.object({ agent_run_id: Id.describe("The run") }),
  result: Organization,
});

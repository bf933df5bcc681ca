import { invalidField } from "#lib/contract/error.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Throws a 400 for an address that no MCP server may have: a private one, or one with a query. */
export function refuseMcpAddress(
  outbound: OrganizationContext["outbound"],
  url: string,
  field: (string | number)[],
): void {
  const refusal = outbound.refusalOf(url);
  if (refusal !== null) throw invalidField(field, refusal);
  const { search, hash } = new URL(url);
  if (search !== "" || hash !== "") throw invalidField(field, "must have no query and no fragment");
}

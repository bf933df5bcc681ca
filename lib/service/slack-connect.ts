import { ApiError } from "#lib/contract/error.ts";
import { slackTokenMinutes } from "#lib/contract/integrations/slack-connect.ts";
import { recordAct } from "./audit.ts";
import type { OrganizationContext } from "./service-context.ts";

/** A token for the caller to send to the bot. 409 if there is no bot listening. */
export async function generateSlackToken(context: OrganizationContext) {
  const slack = await context.store.integrations.find(context.access, "slack");
  const where = "An admin can fix this in Settings → Integrations.";
  if (slack === null) throw new ApiError("conflict", `Slack is not connected to this organization. ${where}`);
  if (slack.hookSecretSealed === null) {
    throw new ApiError(
      "conflict",
      `Slack is connected without its signing secret, so the bot receives no messages. ${where}`,
    );
  }
  const { code, hash } = context.secrets.mintPersonCode();
  const expiresAt = new Date(context.now().getTime() + slackTokenMinutes * 60_000).toISOString();
  await context.store.transaction(async (store) => {
    await store.links.createCode(context.access, slack.id, { hash, expiresAt });
    const object = { type: "integration", id: slack.id, name: "Slack" };
    await recordAct(store, context, { act: "slack_link.created", object, details: { type: "slack" } });
  });
  const message = `Write "@${slack.settings.mention} link ${code}" to the bot in Slack.`;
  return { token: code, message, expires_in_minutes: slackTokenMinutes };
}

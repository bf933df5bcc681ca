import { generateSlackToken } from "#lib/contract/integrations/slack-connect.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as slack from "#lib/service/slack-connect.ts";

export const POST = endpoint(generateSlackToken, slack.generateSlackToken);

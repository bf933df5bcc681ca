import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalNote } from "#components/pulls/approval-words.ts";
import {
  ConnectIntegration,
  IntegrationSettings,
  type IntegrationStatus,
} from "#lib/contract/integrations/integration.ts";
import { bodyOf, type Draft, draftOf } from "./draft.ts";

const connected = (settings: Partial<IntegrationSettings>): IntegrationStatus => ({
  integration_type: "github",
  active: true,
  token_id: 1,
  installation_id: null,
  metadata: {
    ...{ title: "GitHub", reason: null, connected: true, account: "ada", account_kind: "user" },
    settings: IntegrationSettings.parse(settings),
  },
});

test("the bots of a code host are shown in one line, and sent as a list; a chat has none", () => {
  const integration = connected({ bots: ["renovate[bot]", "ci"] });
  const draft = draftOf("github", integration);
  assert.equal(draft.bots, "renovate[bot], ci");
  const botsOf = (bots: string) => bodyOf("github", { ...draft, bots }, integration).settings?.bots;
  assert.deepEqual(botsOf(draft.bots), ["renovate[bot]", "ci"]);
  assert.deepEqual(botsOf(" @a , b\n c,, A "), ["a", "b", "c"]);
  assert.deepEqual(botsOf(""), []);
  assert.equal("bots" in (bodyOf("slack", draft, integration).settings ?? {}), false);
});

test("what is entered of a GitHub App is sent, also alone, so that the service can say what is missing", () => {
  const integration = connected({});
  const draft = { ...draftOf("github", integration), isApp: true };
  const sent = (changes: Partial<Draft>) => {
    const { app_id, installation_id, private_key } = bodyOf("github", { ...draft, ...changes }, integration);
    return { app_id, installation_id, private_key };
  };
  const none = { app_id: undefined, installation_id: undefined, private_key: undefined };
  assert.deepEqual(sent({}), none);
  assert.deepEqual(sent({ app_id: " 8 " }), { ...none, app_id: 8 });
  assert.deepEqual(sent({ private_key: "pem" }), { ...none, private_key: "pem" });
  assert.deepEqual(sent({ app_id: "8", private_key: "pem" }), { ...none, app_id: 8, private_key: "pem" });
  for (const wrong of [sent({ app_id: "eight" }), sent({ installation_id: "four" })]) {
    assert.equal(ConnectIntegration.safeParse(wrong).success, false);
  }
});

test("only an account that may be a person's is said to approve nothing", () => {
  const account = "ada";
  assert.equal(
    approvalNote("github", { account, account_kind: "user" }),
    "If ada is a person's own account, they cannot approve the pull requests Errand opens: code hosts do not let people approve their own.",
  );
  assert.equal(approvalNote("github", { account, account_kind: "app" }), null);
  assert.equal(approvalNote("slack", { account, account_kind: "user" }), null);
  assert.equal(approvalNote("gitlab", { account: null, account_kind: null }), null);
});

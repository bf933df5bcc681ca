import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { hashSecret } from "#lib/auth/secret.ts";
import { ChatServer, chatSecret, chatToken } from "#lib/chat/chat.fixture.ts";
import { Conversations } from "#lib/engine/conversations/conversations.ts";
import { maskText } from "#lib/service/mask-secrets.ts";
import { defaultsForRun } from "#lib/service/run-defaults.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";

/** A secret in the environment of every agent. */
export const serviceToken = "of-the-service-0815-3kD8sW5jZ2hC";

/** A service and an engine's conversations, connected to Slack or Linear. */
export async function openChat(t: TestContext, type: "slack" | "linear", settings: object = {}) {
  const clock = { aheadMs: 0 };
  const now = () => new Date(Date.now() + clock.aheadMs);
  const api = await ApiUnderTest.open({ storeNow: now });
  const { store } = api;
  const chat = await ChatServer.open();
  const names = { name: "app", fullName: "team/app", description: null, defaultBranch: "main" };
  const { repository } = await api.store.repositories.add(api.home, { ...names, source: "/srv/app" });
  const token = await api.token();
  const place = type === "slack" ? "C1" : "ENG";
  const body = {
    base_url: chat.baseUrl,
    token: chatToken,
    hook_secret: chatSecret,
    settings: { repositories: { [place]: repository.id }, ...settings },
  };
  const { json, text } = await api.ask("PUT", `${O}/integrations/${type}`, { token, body });
  assert.equal(json.active, true, text);
  const hookPath = new URL(String((json.metadata as { hook_url: string }).hook_url)).pathname;
  const quiet = () => undefined;
  const conversations = new Conversations({
    variablesOf: () => [{ SERVICE_TOKEN: serviceToken }],
    store,
    seal: api.runtime.seal,
    send: api.runtime.outbound.send,
    origin: async () => "http://errand.test",
    chooseForRun: (organizationId, prompt) => defaultsForRun(organizationId, prompt, store),
    mask: (said) => maskText(said),
    hashSecret,
    now,
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  t.after(async () => {
    await conversations.stop();
    await chat.close();
    await api.close();
  });
  const send = (event: { headers: Record<string, string>; body: string }) => api.ask("POST", hookPath, event);
  const say = async (event: { headers: Record<string, string>; body: string }) => {
    const answered = await send(event);
    assert.equal(answered.status, 202, answered.text);
    await conversations.processDue();
  };
  const runs = async () => (await api.store.runs.list(api.home, {}, { skip: 0, limit: 100 })).items;
  const endTurn = async (result: string) => {
    const claimed = await api.store.queue.claim("engine", 60_000);
    assert.ok(claimed !== null, "a run is queued");
    await api.store.queue.finishTurn(claimed.lease, { status: "completed", result, summary: null, entries: [] });
    await conversations.processDue();
  };
  const advance = (ms: number) => {
    clock.aheadMs += ms;
  };
  return { api, chat, token, send, say, runs, endTurn, conversations, advance, repositoryId: repository.id };
}

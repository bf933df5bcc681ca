import assert from "node:assert/strict";
import { webhooksMax } from "#lib/contract/bounds.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { type ApiUnderTest, memberPassword } from "./api-under-test.ts";
import type { Prepared } from "./good-requests.fixture.ts";
import { PreparedState } from "./prepared-state.fixture.ts";

const O = "/v1/organizations/1";

/** Requests that give 409 because of the state they act on, by the operation's id; each call prepares that state. */
export function conflictingRequests(api: ApiUnderTest): Record<string, () => Promise<Prepared>> {
  const state = new PreparedState(api);

  /** A request for an analysis of a run while another one is in progress; and the ids of the run and of that analysis. */
  async function analysedRun() {
    const runId = await state.endedRun(2);
    const path = `${O}/agent/run/${runId}/analyze-logs`;
    const { json } = await api.ask("POST", path, { token: await api.token() });
    return { runId, path, analysisId: Number(json.agent_run_id) };
  }

  async function endedExternalRun(): Promise<number> {
    const id = await state.externalRun();
    await api.store.external.update(api.home, id, { status: "completed" });
    return id;
  }

  return {
    resumeRun: async () => {
      const { path, analysisId } = await analysedRun();
      await api.store.runs.cancel(api.home, analysisId);
      await api.ask("POST", path, { token: await api.token() });
      return { path: `${O}/agent/run/resume`, asked: { body: { agent_run_id: analysisId, prompt: "Again" } } };
    },
    deleteRun: async () => ({ path: `${O}/agent/run/${(await api.run()).id}` }),
    answerQuestion: async () => ({
      path: `${O}/agent/run/${(await api.run()).id}/answer`,
      asked: { body: { question_id: "q", option_id: "allow" } },
    }),
    editTurn: async () => ({
      path: `${O}/agent/run/${await state.askingRun()}/queue/1`,
      asked: { body: { prompt: "Too late" } },
    }),
    withdrawTurn: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/queue/1` }),
    sendQueue: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/queue/send` }),
    pushRun: async () => ({ path: `${O}/agent/run/${(await api.run()).id}/push` }),
    openPullRequest: async () => ({
      path: `${O}/agent/run/${(await api.run()).id}/pull-request`,
      asked: { body: {} },
    }),
    analyzeLogs: async () => ({ path: (await analysedRun()).path }),
    analyzeSandboxLogs: async () => ({ path: `${O}/sandbox/${(await analysedRun()).runId}/analyze-logs` }),
    appendLogs: async () => ({
      path: `${O}/agent/run/${await endedExternalRun()}/logs`,
      asked: { body: { entries: [{ message_type: "PLAN_EVALUATION", thought: "Too late." }] } },
    }),
    updateRun: async () => ({
      path: `${O}/agent/run/${await endedExternalRun()}`,
      asked: { body: { status: "running" } },
    }),
    signInToAgent: async () => {
      const asked = { agentId: await state.agentToSignIn(), organizationId: 1, method: "account" };
      await api.store.agentSignIns.ask(asked);
      return { path: `${O}/agents/oauth/sign-in`, asked: { body: { method: "account" } } };
    },
    putIntegration: async () => ({ path: `${O}/integrations/webhook`, asked: { body: { token: "x" } } }),
    deleteIntegration: async () => ({ path: `${O}/integrations/jira` }),
    testIntegration: async () => ({ path: `${O}/integrations/jira/test` }),
    acceptInvitation: async () => ({
      path: `/v1/invitations/${(await state.invitation()).code}/accept`,
      asked: { body: { email: (await api.member("member")).email, password: memberPassword } },
    }),
    updateMember: async () => ({
      path: `${O}/users/${await state.onlyOwner()}`,
      asked: { body: { role: "admin" } },
    }),
    removeMember: async () => ({ path: `${O}/users/${await state.onlyOwner()}` }),
    updateMe: async () => ({
      path: "/v1/users/me",
      asked: {
        ...(await state.browser()),
        body: { email: (await api.member("member")).email, current_password: memberPassword },
      },
    }),
    listLinks: async () => ({ path: `${O}/integrations/jira/links` }),
    putLink: async () => ({
      path: `${O}/integrations/jira/links`,
      asked: { body: { external_id: "U2", user_id: 1 } },
    }),
    deleteLink: async () => ({ path: `${O}/integrations/jira/links/U1` }),
    createLinkCode: async () => ({ path: `${O}/integrations/${await state.integration()}/link-code` }),
    deleteRepository: async () => {
      const repositoryId = await state.repository();
      await api.store.runs.create(api.home, plainRun("Look", { repositoryId }));
      return { path: `${O}/repos/${repositoryId}` };
    },
    listBranches: async () => ({ path: `${O}/repos/${await state.repository("/srv/broken")}/branches` }),
    acceptSetup: async () => ({
      path: `${O}/repos/${await state.repository()}/setup`,
      asked: { body: { version: 999 } },
    }),
    rebuildSetup: async () => ({ path: `${O}/repos/${await state.repository("/srv/no-setup")}/setup/rebuild` }),
    createWebhookEndpoint: async () => {
      const id = await state.webhook();
      const { id: _, ...webhook } = (await api.store.webhooks.find(api.home, id)) ?? assert.fail();
      while ((await api.store.webhooks.list(api.home)).length < webhooksMax + 1) {
        await api.store.webhooks.save(api.home, webhook, "new");
      }
      return { path: `${O}/webhooks/endpoints`, asked: { body: { url: "https://hooks.example/more" } } };
    },
    resendDelivery: async () => {
      const path = `${O}/webhooks/deliveries/${await state.delivery()}/resend`;
      await api.store.webhooks.remove(api.home);
      return { path };
    },
    generateSlackToken: async () => {
      await state.slack(false);
      return { path: "/v1/slack-connect/generate-token", asked: { body: { org_id: 1 } } };
    },
    generateSetup: async () => {
      const path = `${O}/setup-commands/generate`;
      const asked = { body: { repo_id: await state.repository() } };
      await api.ask("POST", path, { token: await api.token(), ...asked });
      return { path, asked };
    },
  };
}

import { z } from "zod";
import * as fields from "./client-fields.fixture.ts";
import { O, type ReferenceService } from "./reference-service.fixture.ts";

/** A request that the operation answers with 200, or with `refusal` if nothing here can succeed. */
export type ReferenceRequest = { path: string; body?: unknown; refusal?: 404 };

/** One of the 30 operations of the reference service: its path, the fields its clients read, and a request as they send it. */
export type ReferenceOperation = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  fields: z.ZodType;
  request(service: ReferenceService): Promise<ReferenceRequest>;
};

const at = "/v1/organizations/{org_id}";
const ofRun = async (service: ReferenceService) => ({ agent_run_id: (await service.api.run()).id });
/** Column keys of a board, which kanban clients also send. */
const columns = { before_card_order_id: "a0", after_card_order_id: null };
const hook = { url: "https://hooks.example/errand", secret: "whispered", enabled: true };

/** All 30, in the order of the reference service's description of 2026-02-21. */
export const referenceOperations: ReferenceOperation[] = [
  {
    method: "GET",
    path: `${at}/users`,
    fields: fields.PageOf(fields.Person),
    request: async () => ({ path: `${O}/users?skip=0&limit=100` }),
  },
  {
    method: "GET",
    path: `${at}/users/{user_id}`,
    fields: fields.Person,
    request: async () => ({ path: `${O}/users/1` }),
  },
  { method: "GET", path: "/v1/users/me", fields: fields.Person, request: async () => ({ path: "/v1/users/me" }) },
  {
    method: "POST",
    path: `${at}/agent/run`,
    fields: fields.SdkRun,
    request: async (service) => {
      const repo_id = await service.state.repository();
      const webhooks = [{ url: "https://hooks.example/one", secret: null }];
      const body = {
        prompt: "Look",
        metadata: { a: { b: [1] } },
        agent_type: "codegen",
        repo_id,
        webhooks,
        images: [],
      };
      return { path: `${O}/agent/run`, body };
    },
  },
  {
    method: "GET",
    path: `${at}/agent/run/{agent_run_id}`,
    fields: fields.SdkRun,
    request: async (service) => ({ path: `${O}/agent/run/${await service.state.endedRun(3)}` }),
  },
  {
    method: "GET",
    path: `${at}/agent/runs`,
    fields: fields.PageOf(fields.SdkRun),
    request: async (service) => {
      await service.state.endedRun(1);
      return { path: `${O}/agent/runs?user_id=1&source_type=API&skip=0&limit=10` };
    },
  },
  {
    method: "POST",
    path: `${at}/agent/run/resume`,
    fields: fields.SdkRun,
    request: async (service) => {
      const body = { agent_run_id: await service.state.endedRun(1), prompt: "more", images: null, model: null };
      return { path: `${O}/agent/run/resume`, body };
    },
  },
  {
    method: "POST",
    path: `${at}/agent/run/ban`,
    fields: fields.Banned,
    request: async (service) => ({ path: `${O}/agent/run/ban`, body: { ...(await ofRun(service)), ...columns } }),
  },
  {
    method: "POST",
    path: `${at}/agent/run/unban`,
    fields: fields.Banned,
    request: async (service) => ({ path: `${O}/agent/run/unban`, body: { ...(await ofRun(service)), ...columns } }),
  },
  {
    method: "POST",
    path: `${at}/agent/run/remove-from-pr`,
    fields: fields.Banned,
    request: async (service) => ({
      path: `${O}/agent/run/remove-from-pr`,
      body: { ...(await ofRun(service)), ...columns },
    }),
  },
  {
    method: "GET",
    path: `${at}/repos`,
    fields: fields.PageOf(fields.Repository),
    request: async (service) => {
      await service.state.repository();
      return { path: `${O}/repos?skip=0&limit=50` };
    },
  },
  {
    method: "GET",
    path: `${at}/repos/check-suite-settings`,
    fields: fields.Checks,
    request: async (service) => ({
      path: `${O}/repos/check-suite-settings?repo_id=${await service.state.repository()}`,
    }),
  },
  {
    method: "PUT",
    path: `${at}/repos/check-suite-settings`,
    fields: fields.Checks,
    request: async (service) => ({
      path: `${O}/repos/check-suite-settings?repo_id=${await service.state.repository()}`,
      body: { check_retry_count: 2, ignored_checks: ["lint"], check_retry_counts: { test: 1 }, custom_prompts: null },
    }),
  },
  {
    method: "PATCH",
    path: `${at}/prs/{pr_id}`,
    fields: z.object({ success: z.boolean() }),
    request: async () => ({ path: `${O}/prs/1`, body: { state: "closed" }, refusal: 404 }),
  },
  {
    method: "PATCH",
    path: `${at}/repos/{repo_id}/prs/{pr_id}`,
    fields: z.object({ success: z.boolean() }),
    request: async (service) => ({
      path: `${O}/repos/${await service.state.repository()}/prs/1`,
      body: { state: "ready_for_review" },
      refusal: 404,
    }),
  },
  {
    method: "GET",
    path: `${at}/integrations`,
    fields: fields.Integrations,
    request: async (service) => {
      await service.state.integration();
      return { path: `${O}/integrations` };
    },
  },
  {
    method: "GET",
    path: `${at}/models`,
    fields: fields.Models,
    request: async (service) => {
      await service.haveClaude();
      return { path: `${O}/models` };
    },
  },
  {
    method: "POST",
    path: `${at}/setup-commands/generate`,
    fields: fields.SetupRun,
    request: async (service) => ({
      path: `${O}/setup-commands/generate`,
      body: { repo_id: await service.state.idleRepository(), prompt: null, trigger_source: "setup-commands" },
    }),
  },
  {
    method: "GET",
    path: "/v1/organizations",
    fields: fields.PageOf(fields.Organization),
    request: async () => ({ path: "/v1/organizations?skip=0&limit=100" }),
  },
  {
    method: "GET",
    path: "/v1/mcp-providers",
    fields: z.array(fields.Provider),
    request: async () => ({ path: "/v1/mcp-providers" }),
  },
  {
    method: "GET",
    path: "/v1/oauth/tokens/status",
    fields: z.array(z.string()),
    request: async () => ({ path: "/v1/oauth/tokens/status?org_id=1" }),
  },
  {
    method: "POST",
    path: "/v1/oauth/tokens/revoke",
    fields: fields.AnyObject,
    request: async () => ({ path: "/v1/oauth/tokens/revoke?provider=linear&org_id=1" }),
  },
  {
    method: "GET",
    path: `${at}/webhooks/agent-run`,
    fields: fields.Webhook,
    request: async () => ({ path: `${O}/webhooks/agent-run` }),
  },
  {
    method: "POST",
    path: `${at}/webhooks/agent-run`,
    fields: fields.AnyObject,
    request: async () => ({ path: `${O}/webhooks/agent-run`, body: hook }),
  },
  {
    method: "DELETE",
    path: `${at}/webhooks/agent-run`,
    fields: fields.AnyObject,
    request: async () => ({ path: `${O}/webhooks/agent-run` }),
  },
  {
    method: "POST",
    path: `${at}/webhooks/agent-run/test`,
    fields: fields.AnyObject,
    // Nobody listens there: that is a result, not an error.
    request: async () => ({ path: `${O}/webhooks/agent-run/test`, body: { url: "http://127.0.0.1:9/hook" } }),
  },
  {
    method: "POST",
    path: `${at}/sandbox/{sandbox_id}/analyze-logs`,
    fields: fields.AnalysisRun,
    request: async (service) => ({ path: `${O}/sandbox/${await service.state.endedRun(2)}/analyze-logs` }),
  },
  {
    method: "GET",
    path: `${at}/cli/rules`,
    fields: fields.Rules,
    request: async () => ({ path: `${O}/cli/rules` }),
  },
  {
    method: "POST",
    path: "/v1/slack-connect/generate-token",
    fields: fields.SlackToken,
    request: async (service) => {
      await service.state.slack();
      return { path: "/v1/slack-connect/generate-token", body: { org_id: 1 } };
    },
  },
  {
    method: "GET",
    path: "/v1/alpha/organizations/{org_id}/agent/run/{agent_run_id}/logs",
    fields: fields.RunWithLogs,
    request: async (service) => ({
      path: `/v1/alpha/organizations/1/agent/run/${await service.runOfEveryKind()}/logs?skip=0&limit=100&reverse=true`,
    }),
  },
];

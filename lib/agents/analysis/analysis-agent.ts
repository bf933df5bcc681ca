import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentApp, agent, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { findingsOf, summaryOf } from "#lib/analyst/findings.ts";
import { parseTrace, traceFiles } from "#lib/analyst/trace-info.ts";

/**
 * The built-in agent of analysis runs, as an ACP app: it reads the trace in its folder and reports the findings of the rules, one
 * section after the other, then a summary. It has no model, runs no commands and keeps no state: every turn reads the trace again.
 */
export function createAnalysisAgent(): AgentApp {
  const folders = new Map<string, string>();
  return agent({ name: "analysis" })
    .onRequest("initialize", () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "analysis", title: "Built-in analysis (no model)", version: "0.1.0" },
      agentCapabilities: { sessionCapabilities: { resume: {} } },
      authMethods: [],
    }))
    .onRequest("session/new", ({ params }) => {
      const sessionId = randomUUID();
      folders.set(sessionId, params.cwd);
      return { sessionId };
    })
    .onRequest("session/resume", ({ params }) => {
      folders.set(params.sessionId, params.cwd);
      return {};
    })
    .onNotification("session/cancel", () => undefined)
    .onRequest("session/prompt", async ({ params, client, signal }) => {
      const folder = folders.get(params.sessionId);
      if (folder === undefined) throw RequestError.sessionNotFound(params.sessionId);
      const trace = await readTrace(folder);
      const { sessionId } = params;
      for (const { section, text, seqs } of findingsOf(trace)) {
        if (signal.aborted) return { stopReason: "cancelled" };
        await client.notify("session/update", {
          sessionId,
          update: {
            sessionUpdate: "agent_thought_chunk",
            content: { type: "text", text },
            _meta: { errand: { finding: { section, seqs } } },
          },
        });
      }
      await client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: summaryOf(trace) } },
      });
      return { stopReason: "end_turn" };
    });
}

async function readTrace(folder: string) {
  try {
    const [info, analysis] = await Promise.all(
      [traceFiles.info, traceFiles.analysis].map(async (name) =>
        JSON.parse(await readFile(join(folder, name), "utf8")),
      ),
    );
    return parseTrace(info, analysis);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw RequestError.internalError({ reason }, "the trace in the checkout cannot be read");
  }
}

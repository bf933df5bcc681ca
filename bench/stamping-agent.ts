import { createInterface } from "node:readline";

// An agent for the live measurement: finishes one tool call after another and stamps each with the time.
const count = 200;
const everyMs = 50;

type Message = { id?: number; method?: string };

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (fields: object) =>
  send({ method: "session/update", params: { sessionId: "stamping", update: fields } });

for await (const line of createInterface({ input: process.stdin })) {
  // The client at the other end is our own driver.
  const { id, method } = JSON.parse(line) as Message;
  if (method === "initialize") {
    send({ id, result: { protocolVersion: 1, agentInfo: { name: "stamping", version: "1" }, agentCapabilities: {} } });
  } else if (method === "session/new") send({ id, result: { sessionId: "stamping" } });
  else if (method === "session/prompt") {
    for (let number = 1; number <= count; number += 1) {
      const toolCallId = `call-${number}`;
      const title = `step ${number}`;
      update({ sessionUpdate: "tool_call", toolCallId, title, name: "shell", kind: "execute", status: "in_progress" });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const rawInput = { command: `stamp:${Date.now()}` };
      const rawOutput = { exit_code: 0, output: `done ${number}` };
      update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", rawInput, rawOutput });
    }
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "done" } });
    send({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) send({ id, result: {} });
}

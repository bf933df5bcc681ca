import { createInterface } from "node:readline";

// An agent that sends one message in very many small pieces, as fast as they are read.
const count = 100_000;
const pause = () => new Promise((resolve) => process.stdout.once("drain", resolve));

type Message = { id?: number; method?: string };

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  // The client at the other end is our own driver.
  const { id, method } = JSON.parse(line) as Message;
  if (method === "initialize") {
    send({ id, result: { protocolVersion: 1, agentInfo: { name: "chatty", version: "1" }, agentCapabilities: {} } });
  } else if (method === "session/new") send({ id, result: { sessionId: "chatty" } });
  else if (method === "session/prompt") {
    for (let number = 1; number <= count; number += 1) {
      const content = { type: "text", text: `word ${number} ` };
      const update = { sessionUpdate: "agent_message_chunk", messageId: "one", content };
      if (!send({ method: "session/update", params: { sessionId: "chatty", update } })) await pause();
    }
    send({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) send({ id, result: {} });
}

import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { createAnalysisAgent } from "./analysis-agent.ts";

// The agent over stdin and stdout.

process.stdout.on("error", () => process.exit(1));

// stdin has no encoding set, so its chunks are bytes.
const stdin = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const connection = createAnalysisAgent().connect(ndJsonStream(Writable.toWeb(process.stdout), stdin));
await connection.closed;
process.exit(0);

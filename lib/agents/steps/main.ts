import { serveAgent } from "./serve-agent.ts";
import { stepsRunner } from "./steps-agent.ts";

await serveAgent(stepsRunner);

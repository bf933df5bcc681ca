import { serveAgent } from "#lib/agents/steps/serve-agent.ts";
import { runSetupTurn } from "./run-setup-turn.ts";

await serveAgent({ name: "setup", title: "Built-in setup detection (no model)", runTurn: runSetupTurn });

import type { SignInMethod } from "#lib/contract/runs/agent.ts";
import type { AgentHandshake } from "./session.ts";
import { storableText } from "./storable.ts";

const methodsMax = 20;
const textMax = 200;

/**
 * The methods of an agent that `authenticate` can carry out by itself. Not those for a terminal, which agents mark in several ways
 * (qwen and copilot in `_meta`, opencode in words alone), nor those that need a key or an address from the client.
 */
export function signInMethodsOf({ authMethods }: Pick<AgentHandshake, "authMethods">): SignInMethod[] {
  return (authMethods ?? [])
    .filter(({ type, description, _meta: meta }) => {
      const needsTerminal = type === "terminal" || meta?.type === "terminal" || meta?.["terminal-auth"] != null;
      const needsInput = type === "env_var" || meta?.["api-key"] != null || meta?.gateway != null;
      return !needsTerminal && !needsInput && !/in (?:the|a|your) terminal/i.test(description ?? "");
    })
    .slice(0, methodsMax)
    .map(({ id, name, description }) => ({
      id: storableText(id.slice(0, textMax)),
      name: storableText((name || id).slice(0, textMax)),
      description: description ? storableText(description.slice(0, textMax)) : null,
    }));
}

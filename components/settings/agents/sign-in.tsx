"use client";

import { useQuery } from "@tanstack/react-query";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { useSignInToAgent } from "#lib/client/pages/organization-mutations.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import type { OrganizationAgent } from "#lib/contract/runs/agent.ts";

/** Buttons for the agent's own ways to sign in, unless it is signed in, and how the last sign-in went. */
export function AgentSignIn({ orgId, agent }: { orgId: number; agent: OrganizationAgent }) {
  const { id, sign_in, sign_in_methods, sign_in_attempt } = agent;
  const ask = useSignInToAgent(orgId, id);
  const isBusy = sign_in_attempt?.state === "waiting" || sign_in_attempt?.state === "running";
  useQuery({ ...agentsQuery(orgId), refetchInterval: isBusy ? 1000 : false });
  if (sign_in_methods.length === 0) return null;
  return (
    <>
      {(sign_in.state !== "signed_in" || isBusy) &&
        sign_in_methods.map(({ id: method, name, description }) => (
          <Button
            key={method}
            size="sm"
            variant="outline"
            title={description ?? undefined}
            disabled={isBusy}
            pending={ask.isPending || (isBusy && sign_in_attempt.method === method)}
            onClick={() => ask.mutate(method)}
          >
            {labelOf(name)}
          </Button>
        ))}
      <span role="status" className="text-[13px] [overflow-wrap:anywhere]">
        <Outcome
          attempt={sign_in_attempt}
          isOut={sign_in.state === "needed"}
          refusal={ask.isError ? describeError(ask.error).detail : null}
        />
      </span>
    </>
  );
}

type OutcomeProps = {
  attempt: OrganizationAgent["sign_in_attempt"];
  isOut: boolean;
  refusal: string | null;
};

function Outcome({ attempt, isOut, refusal }: OutcomeProps) {
  if (refusal !== null) return <span className="text-destructive">{refusal}</span>;
  if (attempt?.state === "failed") return <span className="text-destructive">Sign-in failed: {attempt.error}</span>;
  if (attempt === null) return null;
  // A run may have been refused since.
  if (attempt.state === "signed_in")
    return isOut ? null : "The agent reports that it is signed in. Test it to make sure.";
  return "Signing in. If the agent opens a browser, it does so on the machine that runs Errand.";
}

/** Many methods are called so already: "Log in with Google". */
function labelOf(name: string): string {
  return /^(?:sign|log) ?in\b/i.test(name) ? name : `Sign in with ${name}`;
}

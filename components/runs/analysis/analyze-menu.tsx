"use client";

import { useQuery } from "@tanstack/react-query";
import { Microscope } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { Alert, AlertDescription, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  KeepOpen,
} from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { useAnalyzeLogs } from "#lib/client/pages/mutations.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";

type AnalyzeMenuProps = { orgId: number; runId: number; refusal: string | null };

/** Starts a run that analyzes this one, and opens it. */
export function AnalyzeMenu({ orgId, runId, refusal }: AnalyzeMenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <RefusableButton variant="outline" size="sm" refusal={refusal} onClick={() => setOpen(true)}>
        <Microscope aria-hidden />
        Analyze with an agent
      </RefusableButton>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent>
          <AnalyzePart orgId={orgId} runId={runId} />
        </DialogContent>
      </Dialog>
    </>
  );
}

/** The form appears once the agents are known: if they came later, its button would move away under the pointer. */
function AnalyzePart({ orgId, runId }: Omit<AnalyzeMenuProps, "refusal">) {
  const agents = useQuery(agentsQuery(orgId));
  return (
    <>
      <DialogHeader>
        <DialogTitle>Analyze run #{runId}</DialogTitle>
        <DialogDescription>
          Starts a new run that reads this run’s log. The two runs link to each other.
        </DialogDescription>
      </DialogHeader>
      <LoadedPart query={agents} what="the agents">
        {({ items }) => <AnalyzeForm {...{ orgId, runId, agents: items }} />}
      </LoadedPart>
    </>
  );
}

const builtIn = "";

type AnalyzeFormProps = { orgId: number; runId: number; agents: readonly Agent[] };

function AnalyzeForm({ orgId, runId, agents }: AnalyzeFormProps) {
  const router = useRouter();
  const analyze = useAnalyzeLogs(orgId);
  const [agent, setAgent] = useState(builtIn);
  const [question, setQuestion] = useState("");
  const withModel = agents.filter(({ ready, has_model }) => ready && has_model);
  const rival = analyze.error instanceof ClientError ? analyze.error.agentRunId : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const prompt = question.trim();
    const body = agent === builtIn ? {} : { agent, ...(prompt === "" ? {} : { prompt }) };
    analyze.mutate({ runId, body }, { onSuccess: ({ agent_run_id }) => router.push(`/runs/${agent_run_id}`) });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <KeepOpen while={analyze.isPending} />
      {withModel.length === 0 && (
        <Alert>
          <AlertDescription>
            No agent with a model is ready. Install one on the machine that runs Errand and sign in to it; the{" "}
            <Link href="/docs/reference/agents#listAgents" className="text-link underline underline-offset-2">
              list of agents
            </Link>{" "}
            says what each one is missing.
          </AlertDescription>
        </Alert>
      )}
      <Field label="Agent">
        <RadioGroup value={agent} onValueChange={setAgent}>
          <RadioOption
            value={builtIn}
            label="Built-in rules"
            description="No model. Saves this tab's findings as a run."
          />
          {withModel.map(({ id, title }) => (
            <RadioOption
              key={id}
              value={id}
              label={title}
              description="Reads the log and explains it. Every claim must quote a step."
            />
          ))}
        </RadioGroup>
      </Field>
      {agent !== builtIn && (
        <>
          <Field label="Question (optional)">
            <Textarea
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
              maxLength={10_000}
              rows={3}
              placeholder="Why did the tests fail?"
            />
          </Field>
          <Alert>
            <AlertDescription>
              Secrets in the log are masked, and the agent can only read. It is isolated like the agent of any other
              run.
            </AlertDescription>
          </Alert>
        </>
      )}
      {rival !== null ? (
        <Alert variant="warning">
          <AlertDescription>
            <Link href={`/runs/${rival}`} className="text-link underline underline-offset-2">
              Run #{rival}
            </Link>{" "}
            is already analyzing this run.
          </AlertDescription>
        </Alert>
      ) : (
        analyze.isError && <ErrorAlert title="The analysis could not be started" {...describeError(analyze.error)} />
      )}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" autoFocus pending={analyze.isPending || analyze.isSuccess}>
          Analyze
        </Button>
      </DialogFooter>
    </form>
  );
}

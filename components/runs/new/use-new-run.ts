"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { integrationsQuery } from "#lib/client/pages/integration-queries.ts";
import { useCreateRun } from "#lib/client/pages/mutations.ts";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { agentsQuery, repositoriesQuery } from "#lib/client/pages/queries.ts";
import { newRunMemory } from "./new-run-memory.ts";
import {
  emptyValues,
  initialRepository,
  type NewRunErrors,
  type NewRunValues,
  newRunFields,
  requestBody,
  settleValues,
} from "./new-run-values.ts";
import { offeredServers } from "./offered-servers.ts";

const DRAFT_PAUSE_MS = 300;

/** State of the form: its values, errors, and submission. `repoId` is the repository from its link, or null. */
export function useNewRun(orgId: number, repoId: number | null) {
  const router = useRouter();
  const create = useCreateRun(orgId);
  const promptRef = useRef<HTMLTextAreaElement>(null);
  const { chosen, defaultMode, choose, isBare } = useKeptValues(orgId, repoId, promptRef, create.isSuccess);
  const [errors, setErrors] = useState<NewRunErrors>({});
  const agents = useQuery(agentsQuery(orgId)).data?.items ?? [];
  const values = {
    ...settleValues(agents, chosen),
    permissionMode: chosen.permissionMode ?? defaultMode,
  };
  const servers =
    useQuery(integrationsQuery(orgId)).data?.integrations.flatMap((one) => one.metadata.servers ?? []) ?? [];
  const offered = offeredServers(
    servers,
    values.repoId,
    agents.find(({ id }) => id === values.agent),
  );
  const body = requestBody({ ...values, permissionMode: chosen.permissionMode }, offered);

  function show(found: NewRunErrors) {
    setErrors(found);
    // The field is rendered as invalid after this; then the first such field gets the focus.
    requestAnimationFrame(() => {
      const form = promptRef.current?.form;
      form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    });
  }

  return {
    values,
    /** Id of the agent that was chosen but is not ready, or null. */
    replacedAgent: chosen.agent !== "" && values.agent !== chosen.agent ? chosen.agent : null,
    /** Names of the MCP servers that the run may be given. */
    offered,
    body,
    errors,
    promptRef,
    /** A submission error that belongs to no field. */
    failure: create.error !== null && Object.keys(errors).length === 0 ? create.error : null,
    /** The run would start without a repository although there are some. */
    isBare,
    /** True from the click until the run's page appears. */
    isSending: create.isPending || create.isSuccess,
    change(next: Partial<NewRunValues>) {
      // A functional update, because files are read asynchronously.
      choose((now) => ({ ...(now ?? emptyValues), ...next }));
      // The field with the error is being corrected.
      setErrors({});
    },
    send() {
      if (create.isPending || create.isSuccess) return;
      setErrors({});
      if (values.prompt.trim() === "") return show({ prompt: "must not be empty" });
      // Not callbacks of mutate, which are not called once the reader has left the form.
      create.mutateAsync(body).then(
        (run) => {
          // Defaults are not remembered: the organization may have changed them by then.
          newRunMemory(orgId, localStorage).finish(chosen);
          const open = () => router.push(`/runs/${run.id}`);
          if (promptRef.current !== null) open();
          else toast({ title: `Run ${run.id} started`, action: { label: "Open", onClick: open } });
        },
        (error: unknown) => {
          if (promptRef.current !== null) return show(fieldMessages(error, newRunFields));
          const title = "The run could not be started. Its prompt is still in the form.";
          toast({ tone: "error", title, description: describeError(error).detail });
        },
      );
    },
  };
}

/** The chosen values: initially those stored in this browser. Changes are stored. */
function useKeptValues(
  orgId: number,
  repoId: number | null,
  promptRef: React.RefObject<HTMLTextAreaElement | null>,
  isSent: boolean,
) {
  const [chosen, choose] = useState<NewRunValues | null>(null);
  const repositories = useQuery(repositoriesQuery(orgId)).data?.items;
  const defaultMode = useQuery(settingsQuery(orgId)).data?.default_permission_mode ?? "auto";

  // Only the browser has stored values: like on the server, the first render does without them.
  useEffect(() => {
    if (chosen !== null) return;
    const kept = newRunMemory(orgId, localStorage).read();
    const begun = { ...(kept ?? emptyValues), repoId: initialRepository(kept, repositories ?? []) };
    const named = repoId === null || repoId === begun.repoId ? begun : { ...begun, repoId, baseBranch: "" };
    // Somebody may have typed before this page was hydrated.
    choose({ ...named, prompt: promptRef.current?.value || named.prompt });
    // If the user navigated in the meantime, keep their page.
    if (document.activeElement === document.body) promptRef.current?.focus();
  }, [chosen, orgId, repoId, repositories, promptRef]);

  /** What is not stored yet; null: nothing. */
  const unsaved = useRef<NewRunValues | null>(null);
  const save = useCallback(() => {
    if (unsaved.current !== null) newRunMemory(orgId, localStorage).keepDraft(unsaved.current);
    unsaved.current = null;
  }, [orgId]);
  useEffect(() => {
    // A submitted run is no longer a draft.
    unsaved.current = isSent ? null : chosen;
    const timer = setTimeout(save, DRAFT_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [chosen, isSent, save]);
  // Leaving does not wait for the pause.
  useEffect(() => {
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [save]);

  const hasRepository = chosen === null || chosen.repoId !== null || repositories?.length === 0;
  return { chosen: chosen ?? emptyValues, defaultMode, choose, isBare: !hasRepository };
}

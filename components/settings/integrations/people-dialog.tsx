"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { CommandLine } from "#components/page/command-line.tsx";
import { unsavedText } from "#components/page/edits.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { linksQuery, useCreateLinkCode, useDeleteLink, usePutLink } from "#lib/client/link-queries.ts";
import { peopleQuery } from "#lib/client/people-queries.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integration.ts";
import { integrationTypes } from "#lib/contract/words.ts";

/** Linked people of a connected service, and a code for linking oneself. Null closes it. */
export function PeopleDialog({ integration, onClose }: { integration: IntegrationStatus | null; onClose: () => void }) {
  const type = integrationTypes.find((option) => option === integration?.integration_type);
  const isChat = type === "slack" || type === "linear";
  return (
    <Dialog open={integration !== null} onOpenChange={onClose}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>People in {integration?.metadata.title}</DialogTitle>
          <DialogDescription>
            {isChat
              ? "Only linked members can start runs from there."
              : "Anyone who can write to a repository there can start runs. Runs by linked people count as their own."}
          </DialogDescription>
        </DialogHeader>
        {type !== undefined && (
          <div className="grid min-w-0 gap-5">
            {isChat && <LinkMe type={type} />}
            <Links type={type} />
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

function LinkMe({ type }: { type: IntegrationType }) {
  const { id: orgId } = useOrganization();
  const create = useCreateLinkCode(orgId, type);
  const refusal = useRefusal("runs:write");
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">Link me</h3>
      {create.data === undefined ? (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          pending={create.isPending}
          disabled={refusal !== null}
          onClick={() => create.mutate()}
        >
          Create a code
        </Button>
      ) : (
        <>
          <p className="text-[13px] text-muted-foreground">
            Post this message where the bot can see it. It works once, for 15 minutes.
          </p>
          <CommandLine command={create.data.say} label="Copy the message" />
        </>
      )}
      {create.error !== null && <ErrorAlert title="The code could not be created" {...describeError(create.error)} />}
    </section>
  );
}

function Links({ type }: { type: IntegrationType }) {
  const { id: orgId } = useOrganization();
  const links = useQuery(linksQuery(orgId, type));
  const remove = useDeleteLink(orgId, type);
  const refusal = useRefusal("org:admin");
  function unlink(externalId: string) {
    if (!remove.isPending) remove.mutate(externalId);
  }
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">Linked</h3>
      {links.data === undefined ? (
        links.error === null ? (
          <Loading label="Loading people" lines={2} className="px-0" />
        ) : (
          <ErrorAlert title="The linked people could not be loaded" {...describeError(links.error)} />
        )
      ) : links.data.items.length === 0 ? (
        <p className="text-[13px] text-muted-foreground">Nobody yet.</p>
      ) : (
        <ul className="border-border border-t">
          {links.data.items.map(({ external_id, user_id, user_name }) => (
            <li key={external_id} className="flex min-h-10 items-center gap-2 border-border border-b">
              <code className="min-w-0 truncate text-xs">{external_id}</code>
              <span className="min-w-0 flex-1 truncate">{user_name ?? `Person ${user_id}`}</span>
              {refusal === null && (
                <IconButton
                  label={`Unlink ${external_id}`}
                  size="icon-sm"
                  aria-disabled={remove.isPending || undefined}
                  onClick={() => unlink(external_id)}
                >
                  <X />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {remove.error !== null && <ErrorAlert title="The link was not removed" {...describeError(remove.error)} />}
      {refusal === null && <AddLink type={type} />}
    </section>
  );
}

function AddLink({ type }: { type: IntegrationType }) {
  const { id: orgId } = useOrganization();
  const people = useQuery(peopleQuery(orgId));
  const put = usePutLink(orgId, type);
  const [externalId, setExternalId] = useState("");
  const [userId, setUserId] = useState("");
  const isComplete = externalId.trim() !== "" && userId !== "";

  function send(event: FormEvent) {
    event.preventDefault();
    if (!isComplete) return;
    put.mutate(
      { external_id: externalId, user_id: Number(userId) },
      { onSuccess: () => setExternalId(unsavedText(externalId)) },
    );
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-2">
      <div className="grid items-end gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <Field label={type === "slack" ? "Slack user ID" : type === "linear" ? "Linear user ID" : "User name"}>
          <Input
            value={externalId}
            onChange={(event) => setExternalId(event.target.value)}
            placeholder={type === "slack" ? "U0123456789" : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label="Member">
          <Combobox
            value={userId === "" ? null : userId}
            onValueChange={setUserId}
            placeholder="Choose"
            loading={people.isPending}
            options={(people.data?.items ?? []).map(({ id, full_name, email }) => ({
              value: String(id),
              label: full_name ?? email ?? `Person ${id}`,
              description: email ?? undefined,
            }))}
            searchPlaceholder="Find a person"
          />
        </Field>
        <RefusableButton
          type="submit"
          variant="outline"
          pending={put.isPending}
          refusal={isComplete ? null : "Enter an account and choose a member"}
        >
          Link
        </RefusableButton>
      </div>
      {put.error !== null && <ErrorAlert title="The link was not saved" {...describeError(put.error)} />}
    </form>
  );
}

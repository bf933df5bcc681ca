"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { FormError } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { CommandLine } from "#components/page/command-line.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { TitledDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { linksQuery, useCreateLinkCode, useDeleteLink, usePutLink } from "#lib/client/pages/link-queries.ts";
import { peopleQuery } from "#lib/client/pages/people-queries.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integrations/integration.ts";
import { integrationTypes } from "#lib/contract/words.ts";

/** Linked people of a connected service, and a code for linking oneself. Null closes it. */
export function PeopleDialog({ integration, onClose }: { integration: IntegrationStatus | null; onClose: () => void }) {
  const type = integrationTypes.find((option) => option === integration?.integration_type);
  const isChat = type === "slack" || type === "linear";
  return (
    <TitledDialog
      open={integration !== null}
      title={`People in ${integration?.metadata.title}`}
      description={
        isChat
          ? "Only linked members can start runs from there."
          : "Anyone who can write to a repository there can start runs. Runs by linked people count as their own."
      }
      onClose={onClose}
    >
      {type !== undefined && (
        <div className="grid min-w-0 gap-5">
          {isChat && <LinkMe type={type} />}
          <Links type={type} />
        </div>
      )}
    </TitledDialog>
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
  const remove = useDeleteLink(orgId, type);
  const refusal = useRefusal("org:admin");
  function unlink(externalId: string) {
    if (!remove.isPending) remove.mutate(externalId);
  }
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">Linked</h3>
      <LoadedPart query={useQuery(linksQuery(orgId, type))} what="the linked people" lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-[13px] text-muted-foreground">Nobody yet.</p>
          ) : (
            <ul className="border-border border-t">
              {items.map(({ external_id, user_id, user_name }) => (
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
          )
        }
      </LoadedPart>
      {remove.error !== null && <ErrorAlert title="The link was not removed" {...describeError(remove.error)} />}
      {refusal === null && <AddLink type={type} />}
    </section>
  );
}

function AddLink({ type }: { type: IntegrationType }) {
  const { id: orgId } = useOrganization();
  const people = useQuery(peopleQuery(orgId));
  const [userId, setUserId] = useState("");
  const form = useNewForm({
    blank: { external_id: "" },
    bodyOf: ({ external_id }) => ({ external_id, user_id: Number(userId) }),
    mutation: usePutLink(orgId, type),
  });
  const isComplete = form.values.external_id.trim() !== "" && userId !== "";
  const refusal = isComplete ? null : "Enter an account and choose a member";
  return (
    <form {...form.attributes} className="grid gap-2">
      <div className="grid items-end gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <TextField
          {...form.field("external_id")}
          label={type === "slack" ? "Slack user ID" : type === "linear" ? "Linear user ID" : "User name"}
          placeholder={type === "slack" ? "U0123456789" : undefined}
          isCode
        />
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
        <RefusableButton type="submit" variant="outline" pending={form.state.isSaving} refusal={refusal}>
          Link
        </RefusableButton>
      </div>
      <FormError {...form.state} title="The link was not saved" />
    </form>
  );
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { switchOrganization } from "#components/session/switch-organization.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { createOrganizationNamed } from "#lib/client/mutations.ts";

/** Creates an organization and goes there. */
export function NewOrganizationPage() {
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: async () => switchOrganization(await createOrganizationNamed(name.trim()), "/runs"),
  });
  const errors = fieldMessages(create.error, ["name"]);

  function send(event: FormEvent) {
    event.preventDefault();
    if (!create.isPending && !create.isSuccess) create.mutate();
  }

  return (
    <DashboardPage title="New organization">
      <p className="max-w-180 text-pretty text-muted-foreground">
        An organization has its own members, repositories, runs, tokens and settings. Nothing is shared with others.
      </p>
      <form noValidate onSubmit={send} className="grid max-w-180 gap-4">
        <Field label="Name" required error={errors.name} className="max-w-90">
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={100} autoComplete="off" />
        </Field>
        {create.error !== null && Object.keys(errors).length === 0 && (
          <ErrorAlert title="The organization could not be created" {...describeError(create.error)} />
        )}
        <div>
          <Button type="submit" pending={create.isPending || create.isSuccess}>
            Create organization
          </Button>
        </div>
      </form>
    </DashboardPage>
  );
}

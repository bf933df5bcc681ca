"use client";

import { useMutation } from "@tanstack/react-query";
import { TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { switchOrganization } from "#components/session/switch-organization.ts";
import { createOrganizationNamed } from "#lib/client/pages/mutations.ts";

/** Creates an organization and goes there. */
export function NewOrganizationPage() {
  const create = useMutation({
    mutationFn: async ({ name }: { name: string }) =>
      switchOrganization(await createOrganizationNamed(name.trim()), "/runs"),
  });
  const form = useNewForm({
    blank: { name: "" },
    bodyOf: (values) => values,
    // Stays pending while navigating away.
    mutation: { ...create, isPending: create.isPending || create.isSuccess },
  });
  return (
    <DashboardPage title="New organization">
      <p className="max-w-180 text-pretty text-muted-foreground">
        An organization has its own members, repositories, runs, tokens and settings. Nothing is shared with others.
      </p>
      <form {...form.attributes} className="grid max-w-180 gap-4">
        <TextField {...form.field("name")} label="Name" required maxLength={100} className="max-w-90" />
        <SaveBar
          form={form.state}
          label="Create organization"
          discardLabel={null}
          failure="The organization could not be created"
        />
      </form>
    </DashboardPage>
  );
}

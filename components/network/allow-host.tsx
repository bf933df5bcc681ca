"use client";

import { toastFailure } from "#components/page/toast-failure.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useChangeNetwork } from "#lib/client/pages/isolation-queries.ts";
import type { Denial } from "#lib/contract/repositories/network.ts";
import { ruleFor } from "./denial-words.ts";

type AllowHostProps = {
  orgId: number;
  denial: Pick<Denial, "host" | "rule">;
  /** The repository whose runs may then reach the host; null for the runs of all repositories. */
  repository: { id: number; name: string } | null;
  /** Label of the button. */
  children: string;
};

/** Button with which an admin allows a refused host. Shows nothing if no rule can allow it. */
export function AllowHost({ orgId, denial, repository, children }: AllowHostProps) {
  const change = useChangeNetwork({ orgId, repoId: repository?.id ?? null });
  const rule = ruleFor(denial);
  if (rule === null) return null;
  const whose = repository === null ? "all runs" : `runs on ${repository.name}`;
  const allow = () =>
    // Not callbacks of mutate, which are not called once the refusal, and this button with it, is gone.
    change.mutateAsync({ add: [rule] }).then(
      (network) =>
        toast({
          title: `${denial.host} is allowed for ${whose}`,
          description:
            ("in_force" in network ? network.in_force : network.network) === "off"
              ? "The network is off for these runs, so this takes effect only once it is turned on."
              : "Takes effect with the next turn.",
        }),
      toastFailure(`${denial.host} could not be allowed`),
    );
  return (
    <Button
      variant="outline"
      size="sm"
      pending={change.isPending}
      aria-label={`Allow ${denial.host} for ${whose}`}
      onClick={allow}
    >
      {children}
    </Button>
  );
}

import { Link2Off } from "lucide-react";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** A link that does not work. The reason is not shown: unknown, expired and revoked links look the same. */
export function ShareGone({ wasOpen = false }: { wasOpen?: boolean }) {
  return (
    <main className="grid min-h-dvh place-items-center" role={wasOpen ? "alert" : undefined}>
      <EmptyState
        icon={<Link2Off />}
        heading="h1"
        title={wasOpen ? "This link no longer works" : "This link does not work"}
        description={
          wasOpen
            ? "It has expired or was revoked while you were reading. Ask whoever sent it for a new one."
            : "It has expired, was revoked, or was not copied completely. Ask whoever sent it for a new one."
        }
      />
    </main>
  );
}

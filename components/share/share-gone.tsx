import { Link2Off } from "lucide-react";
import { EmptyState } from "#components/ui/empty-state.tsx";

/** A link that shows nothing. Why it does not is not told: unknown, expired and revoked look the same. */
export function ShareGone({ wasOpen = false }: { wasOpen?: boolean }) {
  return (
    <main className="grid min-h-dvh place-items-center" role={wasOpen ? "alert" : undefined}>
      <EmptyState
        icon={<Link2Off />}
        heading="h1"
        title={wasOpen ? "This link does not work any more" : "This link does not work"}
        description={
          wasOpen
            ? "It has expired or was revoked while you were reading. Whoever sent it to you can make a new one."
            : "It has expired, was revoked, or was not copied whole. Whoever sent it to you can make a new one."
        }
      />
    </main>
  );
}

import { findSession } from "#components/session/read-session.ts";
import { NotFoundState } from "#components/shell/page-states.tsx";

/** With the navigation around it for whoever is signed in. */
export default async function NowhereNotFoundPage() {
  if ((await findSession()) !== null) return <NotFoundState isAddress />;
  return (
    <main className="grid min-h-dvh content-center">
      <NotFoundState isAddress />
    </main>
  );
}

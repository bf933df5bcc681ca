import type { ReactNode } from "react";

/** The frame of the sign-in page. */
export function SignInCard({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 px-4 py-12 text-center text-muted-foreground">
      {icon !== undefined && <div className="flex justify-center [&_svg]:size-6 [&_.lucide]:stroke-[1.5]">{icon}</div>}
      <h1 className="font-semibold text-foreground text-lg/7">{title}</h1>
      {children}
    </main>
  );
}

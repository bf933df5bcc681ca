import { Link2Off } from "lucide-react";
import Link from "next/link";
import { SignInCard } from "#components/session/sign-in-card.tsx";
import { buttonClasses } from "#components/ui/button.tsx";

type EndedLinkProps = { title: string; detail: string; advice: string };

/** A link that does not work, or no longer works: the reason, and what to do. */
export function EndedLink({ title, detail, advice }: EndedLinkProps) {
  return (
    <SignInCard title={title} icon={<Link2Off aria-hidden />}>
      <p>
        {detail} {advice}
      </p>
      <div className="flex justify-center">
        <Link href="/login" className={buttonClasses({ variant: "outline" })}>
          Sign in
        </Link>
      </div>
    </SignInCard>
  );
}

import Link from "next/link";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import type { Obstacle } from "./pull-obstacle.ts";

/** Shows an obstacle, with a link to the page that removes it. */
export function ObstacleAlert({ obstacle: { title, detail, place } }: { obstacle: Obstacle }) {
  return (
    <Alert variant="warning">
      <AlertTitle>{title}</AlertTitle>
      <AlertDescription>{detail}</AlertDescription>
      <p>
        <Link href={place.href} className="text-link underline underline-offset-2">
          {place.label}
        </Link>
      </p>
    </Alert>
  );
}

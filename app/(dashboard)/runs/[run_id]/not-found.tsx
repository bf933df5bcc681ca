import { NotFoundState } from "#components/shell/page-states.tsx";

export default function RunNotFoundPage() {
  return <NotFoundState what="run" />;
}

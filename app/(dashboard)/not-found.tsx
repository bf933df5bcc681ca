import { NotFoundState } from "#components/shell/page-states.tsx";

export default function DashboardNotFoundPage() {
  return <NotFoundState />;
}

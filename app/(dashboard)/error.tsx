"use client";

import { FailedPage } from "#components/page/failed-page.tsx";

export default function DashboardErrorPage(props: { error: unknown; retry: () => void }) {
  return <FailedPage {...props} />;
}

"use client";

import { LazyFailedPage } from "#components/page/lazy-failed-page.tsx";

export default function DashboardErrorPage(props: { error: unknown; retry: () => void }) {
  return <LazyFailedPage {...props} />;
}

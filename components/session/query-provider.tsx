"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { loginPath } from "./login-path.ts";

/** Query cache of the dashboard's pages. When the session has ended, goes through the sign-in page and back. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() =>
    makeQueryClient(() => {
      const { pathname, search } = window.location;
      window.location.assign(loginPath(pathname + search));
    }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

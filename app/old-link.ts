/**
 * Redirects an old path to the present one and keeps the query. `to` may use parameters of the old path. The redirect has no
 * host, because the server does not always know the one it is reached by.
 */
export function redirectTo(to: string | ((params: Record<string, string>) => string)) {
  return async (request: Request, { params }: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const path = typeof to === "string" ? to : to(await params);
    return new Response(null, { status: 308, headers: { location: path + new URL(request.url).search } });
  };
}

/** Redirects an old link to a run. */
export const redirectToRun = redirectTo(({ run_id = "" }) => `/runs/${encodeURIComponent(run_id)}`);

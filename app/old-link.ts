/**
 * Answers an address of former times with where its page is now, the query kept. `to` may name a part of the old path.
 * The address is given without a host: the server does not always know by which one it is reached.
 */
export function redirectTo(to: string | ((params: Record<string, string>) => string)) {
  return async (request: Request, { params }: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const path = typeof to === "string" ? to : to(await params);
    return new Response(null, { status: 308, headers: { location: path + new URL(request.url).search } });
  };
}

/** Answers an old link to a run. */
export const redirectToRun = redirectTo(({ run_id = "" }) => `/runs/${encodeURIComponent(run_id)}`);

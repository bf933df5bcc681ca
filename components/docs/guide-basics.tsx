import { DocsLink } from "./docs-link.tsx";

/** The three requests with which everything begins. */
export function StartGuide() {
  return (
    <>
      <p>
        Create a token under <DocsLink href="/settings/tokens">Settings</DocsLink> and put it into the environment
        variable <code>ERRAND_TOKEN</code>. A run goes through three requests: start it, follow it, read its answer.
        Leave <code>repo_id</code> out to work in an empty repository.
      </p>
      <p>
        For programs in TypeScript there is a client, <code>errand/client</code>, which reconnects by itself; the folder{" "}
        <code>examples</code> of the source shows it, and the same in Python and Bash. Clients for other languages can
        be generated from{" "}
        <a href="/v1/openapi.json" className="text-link underline underline-offset-4">
          openapi.json
        </a>
        .
      </p>
    </>
  );
}

/** How a request is repeated without doing its work twice. */
export function RepeatingGuide() {
  return (
    <>
      <p>
        If a connection breaks, you cannot know whether the request was carried out. Send{" "}
        <code>Idempotency-Key: ANY-TEXT</code> with it, and repeat it with the same key: for 24 hours it has its effect
        once, and each repetition gets the first answer again with <code>Idempotency-Replayed: true</code>. Use a new
        key for each new request.
      </p>
      <p>
        The same key with another body is 422 <code>idempotency_mismatch</code>. While the first request is under way it
        is 409 <code>conflict</code>. An error is not kept, so the same key can be used again after it. Operations that
        take a key say so.
      </p>
    </>
  );
}

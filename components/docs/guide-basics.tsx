import { DocsLink } from "./docs-link.tsx";

/** The first three requests. */
export function StartGuide() {
  return (
    <>
      <p>
        Create a token under <DocsLink href="/settings/tokens">Settings</DocsLink> and put it in the environment
        variable <code>ERRAND_TOKEN</code>. A run takes three requests: start it, follow it, read its result.
      </p>
      <p>
        The agent <code>steps</code> of this example needs no model: it runs the prompt&rsquo;s fenced code blocks with
        the shell, in order, and stops at the first that fails; a block that begins with <code>```path=a/file</code>{" "}
        writes that file. Once an agent with a model is set up (
        <DocsLink href="/settings/agents">Settings → Agents</DocsLink>), leave <code>agent</code> out and say in words
        what to do. <code>GET /v1/organizations</code> lists the ids for the path; <code>GET …/repos</code> those for{" "}
        <code>repo_id</code>; without it, a run works in a new, empty repository.
      </p>
      <p>
        TypeScript programs can use the client <code>errand/client</code>, which reconnects by itself. The{" "}
        <code>examples</code> folder of the source shows it, and the same in Python and Bash. Clients for other
        languages can be generated from{" "}
        <a href="/v1/openapi.json" className="text-link underline underline-offset-4">
          openapi.json
        </a>
        .
      </p>
    </>
  );
}

/** Guide to repeating a request safely. */
export function RepeatingGuide() {
  return (
    <>
      <p>
        If a connection breaks, you cannot tell whether the request was carried out. Send{" "}
        <code>Idempotency-Key: ANY-TEXT</code> with it, and repeat it with the same key: within 24 hours it takes effect
        only once, and each repetition gets the first response again, with <code>Idempotency-Replayed: true</code>. Use
        a new key for each new request.
      </p>
      <p>
        The same key with a different body gives 422 <code>idempotency_mismatch</code>; while the first request is in
        progress, 409 <code>conflict</code>. Errors are not stored, so the key can be used again after one. The order of
        JSON fields makes no difference in bodies up to 1 MB.
      </p>
      <p>
        Every operation that creates something takes a key. Operations that have no further effect when they are
        repeated, such as a cancel or a push, accept one and always send <code>Idempotency-Replayed: false</code>. The
        few that would do something again, such as a test of a webhook, refuse a key with 400.
      </p>
    </>
  );
}

/** Guide to reading only what has changed, and to changing only what has not. */
export function ConditionalGuide() {
  return (
    <>
      <p>
        Every read in JSON has an <code>ETag</code>. Send it as <code>If-None-Match</code> with the next read: 304
        without a body means that nothing has changed.
      </p>
      <p>
        Send it as <code>If-Match</code> with a change, where the operation says so: 412{" "}
        <code>precondition_failed</code> means that it has changed since you read it, and nothing was done. Read it
        again, then change it. The tag may be sent as it came, with <code>W/</code>. Without <code>If-Match</code> the
        last change wins. The response to a change has no <code>ETag</code>: read it again for the next change.
      </p>
    </>
  );
}

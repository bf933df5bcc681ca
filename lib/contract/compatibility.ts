/** Days of notice before a breaking change: of the API, and of operations marked alpha. */
export const noticeDays = { stable: 180, alpha: 30 };

/** What clients may rely on across versions, in paragraphs, shown on /docs. */
export const compatibilityPromise = [
  "Under /v1, operations, optional parameters, response fields, event types and enum values in responses may be added at any " +
    "time: ignore what you do not know. Everything else stays as it is.",
  `A change that could break a client is announced at least ${noticeDays.stable} days before it happens. From then on the ` +
    "affected operations respond with `Deprecation` (RFC 9745: when it was deprecated), `Sunset` (RFC 8594: when it may stop " +
    'working) and a `Link` with rel="deprecation" to what to do, and are marked `deprecated` in /v1/openapi.json.',
  "These periods begin with the release of version 1.0; until then a change may come without notice, but is always in the changelog.",
  `Operations that respond with \`X-Errand-Stability: alpha\` may change after ${noticeDays.alpha} days' notice, in the same way.`,
];

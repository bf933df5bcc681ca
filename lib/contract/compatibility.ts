/** How long before it happens a breaking change is announced, in days: of the API, and of operations marked alpha. */
export const noticeDays = { stable: 180, alpha: 30 };

/** What clients may rely on across versions, paragraph by paragraph (§9). */
export const compatibilityPromise = [
  "Under /v1, operations, optional parameters, fields of answers, event types and enum values of answers may be added at any " +
    "time: ignore what you do not know. Everything else stays as it is.",
  `A change that could break a client is announced at least ${noticeDays.stable} days before it happens. From then on the ` +
    "operations concerned answer with `Deprecation` (RFC 9745: since when), `Sunset` (RFC 8594: when the old behaviour may " +
    'end) and a `Link` with rel="deprecation" to what to do, and are marked `deprecated` in /v1/openapi.json.',
  `Operations that answer with \`X-Errand-Stability: alpha\` may change after ${noticeDays.alpha} days' notice, in the same way.`,
];

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Pages whose address is a secret: a shared run, an invitation, a password reset link. */
const bearsSecret = ["/share/", "/invite/", "/reset/"];

/**
 * Gives a page request its nonce and its policy. Next takes the nonce from the request's own Content-Security-Policy header and
 * puts it on every script it writes; pages read it as `x-nonce` for their own scripts.
 */
export function securePage(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, dev);
  request.headers["content-security-policy"] = policy;
  request.headers["x-nonce"] = nonce;
  response.setHeader("content-security-policy", policy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "same-origin");
  if (bearsSecret.some((path) => request.url?.startsWith(path))) {
    // Anyone with the address gets in, so it must not be cached, indexed, or revealed to other sites.
    response.setHeader("referrer-policy", "no-referrer");
    response.setHeader("x-robots-tag", "noindex, nofollow");
    response.setHeader("cache-control", "no-store");
  }
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
}

/**
 * Scripts of this origin with the nonce and what they load; no remote image, no plug-in, no frame. `dev` adds what hot reload
 * needs.
 */
export function contentSecurityPolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    // Highlighted code and the virtual list carry style attributes, and the dialogs' scroll lock writes a style element.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

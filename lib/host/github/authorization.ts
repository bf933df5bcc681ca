import { createPrivateKey, createSign } from "node:crypto";
import { z } from "zod";
import { callHost, type HostCall, HostError } from "#lib/host/call-host.ts";
import type { HostCredential, HostIdentity, HostSettings } from "#lib/host/host.ts";
import { type InstallationToken, InstallationTokens } from "#lib/host/installation-tokens.ts";

const User = z.object({ login: z.string() });
const App = z.object({ slug: z.string() });
const Bot = z.object({ id: z.int() });
const AccessToken = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()).nullish(),
});

/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const authorizationAnswers = { User, Bot, AccessToken };

/** Rights of an installation, by GitHub's names (`contents`: `write`); null for a token, whose rights are unknown. */
export type GithubRights = (signal: AbortSignal) => Promise<Record<string, string> | null>;

/** What to do if GitHub accepts no token of an App. */
const appHint =
  "Check on GitHub whether the App is suspended or uninstalled, or its key was deleted. Then connect it again under Integrations.";

/** Headers of every call to GitHub's API. */
const githubHeaders = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

/**
 * Authentication of calls. Installation tokens live an hour; they are reused for ten minutes, unless GitHub has ended one before:
 * then a call is made once more with a new one.
 */
export function githubAuthorization(
  api: string,
  { credential, send, tokens = new InstallationTokens() }: Pick<HostSettings, "credential" | "send" | "tokens">,
) {
  const callWith = (authorization: string, signal?: AbortSignal): HostCall => ({
    title: "GitHub",
    send,
    headers: { ...githubHeaders, authorization },
    ...(signal === undefined ? {} : { signal }),
    ...(credential.kind === "app" ? { unauthorizedHint: appHint } : {}),
  });
  const installation = async (
    app: Extract<HostCredential, { kind: "app" }>,
    signal: AbortSignal,
    refused?: string,
  ): Promise<InstallationToken> => {
    const url = `${api}/app/installations/${app.installationId}/access_tokens`;
    const make = async () => {
      // Others may wait for it too, so that no caller's signal ends it.
      const answer = await callHost(callWith(appToken(app)), { method: "POST", url }, AccessToken).catch(
        asUnauthorized,
      );
      const { token: text, expires_at, permissions } = answer;
      return { token: text, endsAt: Date.parse(expires_at), rights: permissions ?? {} };
    };
    const made = await tokens.get({ api, ...app }, make, refused);
    signal.throwIfAborted();
    return made;
  };
  const token = async (signal: AbortSignal, refused?: string): Promise<string> =>
    credential.kind === "token" ? credential.token : (await installation(credential, signal, refused)).token;
  const call = async (signal: AbortSignal): Promise<HostCall> => {
    const given = await token(signal);
    const renew = async () => `Bearer ${await token(signal, given)}`;
    return { ...callWith(`Bearer ${given}`, signal), ...(credential.kind === "app" ? { renew } : {}) };
  };
  const identity = async (signal: AbortSignal): Promise<HostIdentity> => {
    if (credential.kind === "token") {
      const { login } = await callHost(await call(signal), { method: "GET", url: `${api}/user` }, User);
      return { login, kind: "user" };
    }
    const { slug } = await callHost(callWith(appToken(credential), signal), { method: "GET", url: `${api}/app` }, App);
    // A working App says nothing about its installation; an installation token does.
    const authorized = await call(signal);
    const login = `${slug}[bot]`;
    const url = `${api}/users/${encodeURIComponent(login)}`;
    const bot = await callHost(authorized, { method: "GET", url }, Bot).catch((error: unknown) => {
      // The App works without it.
      if (error instanceof HostError && error.status !== 401) return null;
      throw error;
    });
    return { login, kind: "app", ...(bot === null ? {} : { botId: bot.id }) };
  };
  const rights: GithubRights = async (signal) =>
    credential.kind === "token" ? null : (await installation(credential, signal)).rights;
  const unauthorizedHint = credential.kind === "app" ? appHint : undefined;
  return { call, identity, token, rights, unauthorizedHint };
}

/** GitHub makes no token for an App that is suspended (403), not installed (404) or has another key (401). */
function asUnauthorized(error: unknown): never {
  const isFinal = error instanceof HostError && error.waitMs === null && [403, 404].includes(error.status ?? 0);
  throw isFinal ? new HostError(error.message, 401, null, null, appHint) : error;
}

/**
 * The App's JSON Web Token, RS256, valid for nine minutes
 * (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app).
 */
function appToken({ appId, privateKey }: Extract<HostCredential, { kind: "app" }>): string {
  const seconds = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  // Backdated by a minute, for clocks that differ.
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: seconds - 60, exp: seconds + 480, iss: String(appId) })}`;
  try {
    const signature = createSign("RSA-SHA256").update(text).sign(createPrivateKey(privateKey), "base64url");
    return `Bearer ${text}.${signature}`;
  } catch {
    throw new HostError("The private key cannot be read: it must be the RSA key in PEM form that GitHub gave.");
  }
}

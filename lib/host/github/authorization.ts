import { createPrivateKey, createSign } from "node:crypto";
import { z } from "zod";
import { callHost, HostError } from "#lib/host/call-host.ts";
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

/** Headers of every call to GitHub's API. */
export const githubHeaders = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

/** Authentication of calls. Installation tokens live an hour; they are reused for ten minutes. */
export function githubAuthorization(
  api: string,
  { credential, send, tokens = new InstallationTokens() }: Pick<HostSettings, "credential" | "send" | "tokens">,
) {
  const call = (authorization: string, signal: AbortSignal) => ({
    title: "GitHub",
    send,
    headers: { ...githubHeaders, authorization },
    signal,
  });
  const installation = async (
    app: Extract<HostCredential, { kind: "app" }>,
    signal: AbortSignal,
  ): Promise<InstallationToken> => {
    const known = tokens.find(api, app, Date.now());
    if (known !== null) return known;
    const url = `${api}/app/installations/${app.installationId}/access_tokens`;
    const answer = await callHost(call(appToken(app), signal), { method: "POST", url }, AccessToken);
    const { token: text, expires_at, permissions } = answer;
    const made = { token: text, endsAt: Date.parse(expires_at), rights: permissions ?? {} };
    tokens.keep(api, app, made, Date.now());
    return made;
  };
  const token = async (signal: AbortSignal): Promise<string> =>
    credential.kind === "token" ? credential.token : (await installation(credential, signal)).token;
  const ofInstallation = async (signal: AbortSignal) => `Bearer ${await token(signal)}`;
  const identity = async (signal: AbortSignal): Promise<HostIdentity> => {
    if (credential.kind === "token") {
      const authorization = `Bearer ${credential.token}`;
      const { login } = await callHost(call(authorization, signal), { method: "GET", url: `${api}/user` }, User);
      return { login, kind: "user" };
    }
    const { slug } = await callHost(call(appToken(credential), signal), { method: "GET", url: `${api}/app` }, App);
    // A working App says nothing about its installation; an installation token does.
    const authorization = await ofInstallation(signal);
    const login = `${slug}[bot]`;
    const url = `${api}/users/${encodeURIComponent(login)}`;
    const bot = await callHost(call(authorization, signal), { method: "GET", url }, Bot).catch((error: unknown) => {
      // The App works without it.
      if (error instanceof HostError) return null;
      throw error;
    });
    return { login, kind: "app", ...(bot === null ? {} : { botId: bot.id }) };
  };
  const rights: GithubRights = async (signal) =>
    credential.kind === "token" ? null : (await installation(credential, signal)).rights;
  return { ofInstallation, identity, token, rights };
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

import type { Answered, ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";

/** The cookie set by a response, as a browser sends it from the dashboard. */
export function browserOf(answered: Answered): { headers: Record<string, string> } {
  const cookie = String(answered.headers.get("set-cookie")).split(";")[0] ?? "";
  return { headers: { cookie, "sec-fetch-site": "same-origin" } };
}

/** Signs in with an address and a password. */
export function signInAs(api: ApiUnderTest, email: string, password: string): Promise<Answered> {
  return api.ask("POST", "/v1/session/password", { body: { email, password } });
}

/** A new invitation's code and id, by default by the first organization's owner. */
export async function inviteTo(
  api: ApiUnderTest,
  body: object,
  by: { token?: string; headers?: Record<string, string> } = {},
) {
  const asked = "token" in by || "headers" in by ? by : { token: await api.token() };
  const { json } = await api.asked("POST", `${O}/invitations`, { ...asked, body });
  return { id: Number(json.id), code: String(json.code) };
}

import { randomUUID } from "node:crypto";
import { ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";

const organization = "/v1/organizations/1";

/** A Claude Code session whose telemetry is read back. */
export type SessionUnderTest = {
  sessionId: string;
  runId: unknown;
  /** Its run, as the API shows it. */
  run: () => Promise<Record<string, unknown>>;
  /** Totals of its telemetry. */
  told: () => Promise<Record<string, unknown>>;
};

/** The API with an owner's token, for tests that send telemetry. */
export class TelemetryUnderTest {
  readonly api: ApiUnderTest;
  readonly token: string;

  private constructor(api: ApiUnderTest, token: string) {
    this.api = api;
    this.token = token;
  }

  static async open(): Promise<TelemetryUnderTest> {
    const api = await ApiUnderTest.open();
    return new TelemetryUnderTest(api, await api.token());
  }

  close(): Promise<void> {
    return this.api.close();
  }

  /** Sends a request of OTLP: bytes as protobuf, anything else as JSON. */
  post(signal: "logs" | "metrics" | "traces", body: unknown, asked: Asked = {}) {
    const headers: Record<string, string> = Buffer.isBuffer(body) ? { "content-type": "application/x-protobuf" } : {};
    return this.api.ask("POST", `${organization}/telemetry/v1/${signal}`, {
      token: this.token,
      body,
      headers,
      ...asked,
    });
  }

  /** The JSON at a path of the organization. */
  async get(path: string): Promise<Record<string, unknown>> {
    return (await this.api.ask("GET", `${organization}${path}`, { token: this.token })).json;
  }

  async openSession(sessionId: string = randomUUID()): Promise<SessionUnderTest> {
    const asked = { token: this.token, body: { session_id: sessionId } };
    const { json } = await this.api.ask("POST", `${organization}/claude_code/session`, asked);
    const runId = json.agent_run_id;
    return {
      sessionId,
      runId,
      run: () => this.get(`/agent/run/${runId}`),
      told: async () => Object((await this.get(`/claude_code/session/${sessionId}`)).telemetry),
    };
  }
}

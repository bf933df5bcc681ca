import { askHost, type HostAnswer, type HostCall, HostError, nullIfUnseen } from "./call-host.ts";
import { logBytesMax } from "./pull-host.ts";

/** Logs up to this size are read completely to get their end, from servers that cannot return a part of a file. */
const wholeBytesMax = 16 * 1024 * 1024;

/**
 * The last {@link logBytesMax} bytes of the log at this address, from the beginning of a line; null if the host has none (404,
 * 410) or does not show it. A log may be stored on another server, which the host names by a signed address: the credential is
 * not sent there. Throws as askHost does.
 */
export async function readLogEnd(call: HostCall, url: string): Promise<string | null> {
  try {
    const answer = await nullIfUnseen(askEnd({ ...call, headers: { accept: "*/*", ...call.headers } }, url));
    return answer === null ? null : endOf(answer);
  } catch (error) {
    if (error instanceof HostError && error.status === 410) return null;
    // An empty log has no last bytes.
    if (error instanceof HostError && error.status === 416) return "";
    throw error;
  }
}

/** Servers that cannot return the end of a file (Azure's, where GitHub keeps its logs) return a part from a given byte on. */
async function askEnd(call: HostCall, url: string): Promise<HostAnswer> {
  const answer = await askPart(call, url, `bytes=-${logBytesMax}`);
  if (answer.status === 206 || answer.complete) return answer;
  const length = Number(answer.headers["content-length"] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) return answer;
  return await askPart(call, url, `bytes=${length - logBytesMax}-`);
}

async function askPart(call: HostCall, url: string, range: string): Promise<HostAnswer> {
  const request = { method: "GET", url, answerBytesMax: wholeBytesMax } as const;
  const asked = { ...call, headers: { ...call.headers, range } };
  const answer = await askHost(asked, { ...request, redirects: true });
  if (answer.status < 300) return answer;
  const location = URL.parse(String(answer.headers.location ?? ""), url);
  if (location === null) throw new HostError(`${call.title} does not say where its log is.`, answer.status);
  return await askHost({ ...call, headers: { accept: "*/*", range } }, { ...request, url: location.href });
}

/** The end of what was read, without a partial line at its beginning. If the log was cut, a line says that it continues. */
function endOf({ body, status, complete }: HostAnswer): string {
  const bytes = body.subarray(Math.max(0, body.byteLength - logBytesMax));
  const text = new TextDecoder().decode(bytes);
  const begin = status === 206 || bytes.byteLength < body.byteLength ? text.indexOf("\n") + 1 : 0;
  return complete
    ? text.slice(begin)
    : `${text.slice(begin)}\n[The log continues: the host returns only its beginning.]`;
}

import { promisify } from "node:util";
import { constants, gzip, zstdCompress } from "node:zlib";
import { type Answer, isStream } from "#lib/http/answer.ts";
import { chooseEncoding } from "./content-encoding.ts";

const bytesMin = 4096;
const toGzip = promisify(gzip);
const toZstd = promisify(zstdCompress);

/**
 * The response, compressed if the client accepts that and it is worth the time. Streams never are. One that another client would get
 * compressed says so to caches.
 */
export async function compressAnswer(answer: Answer, acceptEncoding: string | undefined): Promise<Answer> {
  const { body, headers } = answer;
  const vary = "accept-encoding";
  // A cache takes a 304's headers for the response that it has, which may be compressed.
  if (answer.status === 304) return { ...answer, headers: { ...headers, vary } };
  if (body === null || isStream(body) || Number(headers["content-length"]) < bytesMin) return answer;
  const encoding = chooseEncoding(acceptEncoding ?? "");
  if (encoding === null) return { ...answer, headers: { ...headers, vary } };
  const whole = Buffer.concat(body);
  const bytes =
    encoding === "zstd"
      ? await toZstd(whole, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
      : await toGzip(whole, { level: 1 });
  return {
    ...answer,
    headers: {
      ...headers,
      "content-encoding": encoding,
      "content-length": String(bytes.length),
      vary,
    },
    body: [bytes],
  };
}

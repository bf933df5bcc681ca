import type { Samples } from "./samples.ts";

/** Complete programs for the guide. `base` is the address of an organization in the API. */
type GuideSample = (base: string) => Samples;

const typescriptHead = `const headers = { Authorization: \`Bearer \${process.env.ERRAND_TOKEN}\` };`;
const pythonHead = `headers = {"Authorization": f"Bearer {os.environ['ERRAND_TOKEN']}"}`;
const curlHead = `-H "Authorization: Bearer $ERRAND_TOKEN"`;

/** Works on a new installation, where no agent has a model yet. */
const body = { agent: "steps", prompt: "Say hello.\n```sh\necho hello\n```" };
const prompt = JSON.stringify(body.prompt);

/** Starts a run, follows it to its end, prints its answer. */
export const quickStart: GuideSample = (base) => ({
  curl: `# 1. Start a run. The response has its id: here 1.
curl ${base}/agent/run \\
  ${curlHead} \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'

# 2. Follow its steps until it ends.
curl -N ${base}/agent/run/1/logs/stream \\
  ${curlHead}

# 3. Read its result.
curl ${base}/agent/run/1 \\
  ${curlHead}`,
  typescript: `const base = "${base}";
${typescriptHead}

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(base + path, { headers, ...init });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

const started = await ask("/agent/run", {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify({ agent: "steps", prompt: ${prompt} }),
});
const { id } = (await started.json()) as { id: number };

const stream = await ask(\`/agent/run/\${id}/logs/stream\`);
const events = stream.body?.pipeThrough(new TextDecoderStream()) ?? [];
for await (const text of events) process.stdout.write(text);

const ended = await ask(\`/agent/run/\${id}\`);
const run = (await ended.json()) as { status: string; result: string | null };
console.log(run.status, run.result);`,
  python: `import json
import os
from urllib.request import Request, urlopen

base = "${base}"
${pythonHead}

body = json.dumps({"agent": "steps", "prompt": ${prompt}}).encode()
start = Request(
    f"{base}/agent/run",
    headers={**headers, "Content-Type": "application/json"},
    data=body,
)
with urlopen(start) as response:
    run_id = json.load(response)["id"]

with urlopen(Request(f"{base}/agent/run/{run_id}/logs/stream", headers=headers)) as stream:
    for line in stream:
        print(line.decode(), end="")

with urlopen(Request(f"{base}/agent/run/{run_id}", headers=headers)) as response:
    run = json.load(response)
print(run["status"], run["result"])`,
});

/** Reads all entries of a run, page by page. */
export const readAllEntries: GuideSample = (base) => ({
  curl: `# The first page, the second, … until skip reaches total_logs.
curl '${base}/agent/run/1/logs?skip=0&limit=100' \\
  ${curlHead}
curl '${base}/agent/run/1/logs?skip=100&limit=100' \\
  ${curlHead}

# Only the last 20 entries, newest first.
curl '${base}/agent/run/1/logs?reverse=true&limit=20' \\
  ${curlHead}`,
  typescript: `const log = "${base}/agent/run/1/logs";
${typescriptHead}

const entries: unknown[] = [];
for (let total = 1; entries.length < total; ) {
  const response = await fetch(\`\${log}?skip=\${entries.length}&limit=100\`, { headers });
  if (!response.ok) throw new Error(await response.text());
  const page = (await response.json()) as { logs: unknown[]; total_logs: number };
  entries.push(...page.logs);
  total = page.total_logs;
}
console.log(\`\${entries.length} entries\`);`,
  python: `import json
import os
from urllib.request import Request, urlopen

log = "${base}/agent/run/1/logs"
${pythonHead}

entries, total = [], 1
while len(entries) < total:
    request = Request(f"{log}?skip={len(entries)}&limit=100", headers=headers)
    with urlopen(request) as response:
        page = json.load(response)
    entries += page["logs"]
    total = page["total_logs"]
print(f"{len(entries)} entries")`,
});

/** Follows a run to its end, and continues after a lost connection. */
export const followEntries: GuideSample = (base) => ({
  curl: `# All entries from the first, then new ones as they come. -N shows them at once.
curl -N '${base}/agent/run/1/logs/stream?after=0' \\
  ${curlHead}

# Connection lost after entry 2? Continue after it.
curl -N ${base}/agent/run/1/logs/stream \\
  ${curlHead} \\
  -H "Last-Event-ID: 2"`,
  typescript: `const stream = "${base}/agent/run/1/logs/stream";
${typescriptHead}

let after = 0;
let hasEnded = false;
while (!hasEnded) {
  try {
    const response = await fetch(\`\${stream}?after=\${after}\`, { headers });
    if (response.status === 429 || response.status >= 500) {
      const seconds = Number(response.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      continue;
    }
    if (!response.ok) throw new Error(await response.text());
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + text).split("\\n\\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const field = (name: string) => new RegExp(\`^\${name}: (.*)$\`, "m").exec(event)?.[1];
        if (field("event") === "end") hasEnded = true;
        if (field("event") !== "entry") continue;
        after = Number(field("id"));
        console.log(after, JSON.parse(field("data") ?? "{}").message_type);
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // Refused: retrying does not help.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}`,
  python: `import http.client
import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

stream = "${base}/agent/run/1/logs/stream"
${pythonHead}

after, has_ended = 0, False
while not has_ended:
    try:
        with urlopen(Request(f"{stream}?after={after}", headers=headers), timeout=60) as response:
            event = {}
            for line in response:
                name, _, value = line.decode().rstrip("\\n").partition(": ")
                if line != b"\\n":
                    event[name] = value
                    continue
                if event.get("event") == "entry":
                    after = int(event["id"])
                    print(after, json.loads(event["data"])["message_type"])
                has_ended = has_ended or event.get("event") == "end"
                event = {}
    except HTTPError as error:
        if error.code != 429 and error.code < 500:
            raise  # Refused: retrying does not help.
        time.sleep(int(error.headers.get("Retry-After") or 1))
    except (OSError, http.client.HTTPException):
        time.sleep(1)`,
});

import { hash } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

// The minimum that any server must do for a page of entries: look up the token, read the run, read the page, send the bytes.
const [dataDir = ""] = process.argv.slice(2);
const db = new DatabaseSync(join(dataDir, "errand.db"), { readOnly: true });
const findToken = db.prepare("SELECT id FROM tokens WHERE hash = ?");
const findRun = db.prepare("SELECT id, organization_id, status, created_at, total_logs FROM runs WHERE id = ?");
const readPage = db.prepare(
  "SELECT CAST(group_concat(body, ',') AS BLOB) AS bodies FROM (SELECT body FROM entries WHERE id BETWEEN ? AND ? ORDER BY id)",
);
const runShift = 2 ** 27;

const server = createServer((request, response) => {
  const secret = request.headers.authorization?.slice(7) ?? "";
  if (findToken.get(hash("sha256", secret, "buffer")) === undefined) {
    response.writeHead(401).end();
    return;
  }
  const url = new URL(request.url ?? "/", "http://localhost");
  const runId = Number(url.pathname.split("/")[6]);
  const skip = Number(url.searchParams.get("skip") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const run = findRun.get(runId);
  const row = readPage.get(runId * runShift + skip + 1, runId * runShift + skip + limit);
  const head = Buffer.from(`${JSON.stringify(run).slice(0, -1)},"logs":[`);
  // The query gives a blob or null.
  const bodies = (row?.bodies ?? new Uint8Array()) as Uint8Array;
  const body = Buffer.concat([head, bodies, Buffer.from("]}")]);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});

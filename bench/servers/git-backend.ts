import { createServer } from "node:http";
import { answerAsRemote } from "#lib/workspace/git-remote.fixture.ts";

// The floor: `git http-backend` on the mirror itself, with nothing around it but the server that CGI needs.
const [mirror = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  answerAsRemote(request, response, mirror, (request.url ?? "/").split("?")[0]?.slice(1) ?? "");
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});

import { execFileSync } from "node:child_process";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, test } from "./test.ts";

test("git applies a run's diff with binaries, and its page says what they are without showing their bytes", async ({
  signedIn: page,
  product,
}) => {
  const source = makeRepository({ "README.md": "# Greeter\n" });
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source, name: "pictures" });
  const prompt = "Draw.\n```sh\nhead -c 5000 /dev/urandom > picture.png && echo more >> README.md\n```";
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps", repo_id: repository.id });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");

  const diff = await (await api.fetch(`/agent/run/${run.id}/diff`)).text();
  const clone = temporaryFolder("errand clone ");
  execFileSync("git", ["clone", "--quiet", source, clone]);
  execFileSync("git", ["apply", "--index", "-"], { cwd: clone, input: diff });
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: clone, encoding: "utf8" })).toBe(
    "M  README.md\nA  picture.png\n",
  );

  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const picture = page.getByRole("region", { name: "picture.png" });
  await expect(picture).toContainText("Binary file, 4.88 KB");
  await expect(page.getByRole("region", { name: "README.md" })).toContainText("more");
  await expect(page.getByText("GIT binary patch")).toHaveCount(0);
  await expect(page.getByText(/^z[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{20}/)).toHaveCount(0);
});

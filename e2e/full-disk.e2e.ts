import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./api.ts";
import { Product } from "./product.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, test } from "./test.ts";

/** Mounts a small disk; null if this user may not. */
function mountDisk(): string | null {
  const folder = temporaryFolder("errand-disk-");
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    return null;
  }
}

test("on a full disk changes get 507, reads go on, and writes work again by themselves", async () => {
  const disk = mountDisk();
  test.skip(disk === null, "Only root can mount a small disk; lib/web/full-disk.test.ts fills a store without one.");
  const dataDir = disk ?? "";
  const product = await Product.start({ ERRAND_DATA_DIR: dataDir });
  try {
    const api = await ApiClient.create(product);
    const ready = async () => {
      const answered = await fetch(`${product.url}/readyz`);
      return `${answered.status} ${await answered.text()}`;
    };
    const create = () => api.ask("POST", "/agent/run", { prompt: "Wait.", agent: "external", metadata: { large } });
    const large = "x".repeat(10_000);
    const acknowledged: unknown[] = [];
    const ballast = join(dataDir, "ballast");
    const fill = () => {
      const { bavail, bsize } = statfsSync(dataDir);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
    };
    fill();
    await expect
      .poll(async () => {
        const { status, body } = await create();
        if (status === 200) acknowledged.push(body.id);
        return status;
      })
      .toBe(507);
    await expect.poll(ready, { timeout: 60_000 }).toMatch(/^503 .*Errand's disk is full/);
    const listed = await api.ask("GET", "/agent/runs?limit=100");
    expect(listed.status).toBe(200);

    rmSync(ballast);
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(ready, { timeout: 60_000 }).toMatch(/^200 /);
    for (const id of acknowledged) expect((await api.ask("GET", `/agent/run/${id}`)).status).toBe(200);
  } finally {
    await product.stop();
    execFileSync("umount", [dataDir]);
  }
});

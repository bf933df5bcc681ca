import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseEncoding } from "./content-encoding.ts";

test("the best encoding that the client accepts is chosen, never a refused one", () => {
  assert.equal(chooseEncoding("gzip, deflate, br, zstd"), "zstd");
  assert.equal(chooseEncoding("GZIP"), "gzip");
  assert.equal(chooseEncoding("zstd;q=0, gzip;q=0.1"), "gzip");
  // Clients that send it need not know zstd.
  assert.equal(chooseEncoding("*"), "gzip");
  assert.equal(chooseEncoding("*;q=0.1"), "gzip");
  assert.equal(chooseEncoding("zstd, *"), "zstd");
  assert.equal(chooseEncoding("gzip;q=0, *"), "zstd");
  assert.equal(chooseEncoding("gzip;q=0, zstd;q=0, *"), null);
  assert.equal(chooseEncoding("*, zstd;q=0.000"), "gzip");
  assert.equal(chooseEncoding("identity"), null);
  assert.equal(chooseEncoding("br;q=1, *;q=0"), null);
  assert.equal(chooseEncoding(""), null);
});

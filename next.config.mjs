import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // `npm test` checks the types of the whole project; somebody who only starts it need not wait for that.
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  // `npm run dev` prints the address 127.0.0.1; Next would take its pages for those of a foreign origin.
  allowedDevOrigins: ["127.0.0.1"],
  experimental: {
    preloadEntriesOnStart: false,
    // Nothing reads the maps of the server's code, and writing the cache (140 MB) costs the first build what it saves the next one.
    serverSourceMaps: false,
    turbopackFileSystemCacheForBuild: false,
  },
  turbopack: {
    // A lockfile in a parent folder would otherwise make Turbopack choose that folder as its root.
    root: dirname(fileURLToPath(import.meta.url)),
  },
};

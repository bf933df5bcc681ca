import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { installProbe } from "./probe.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** A browser with its own profile on disk: its first visit is cold, later ones have warm caches, as a person's would. */
export class Profile {
  readonly context: BrowserContext;
  readonly #folder: string;

  private constructor(context: BrowserContext, folder: string) {
    this.context = context;
    this.#folder = folder;
  }

  /** A new browser process with an empty profile, signed in by `cookies`. */
  static async open(cookies: Cookies): Promise<Profile> {
    const folder = await mkdtemp(join(tmpdir(), "errand-bench-profile-"));
    const context = await chromium.launchPersistentContext(folder, {
      ...config.use?.launchOptions,
      viewport: { width: 1440, height: 900 },
    });
    await context.addInitScript(installProbe);
    if (cookies.length > 0) await context.addCookies(cookies);
    return new Profile(context, folder);
  }

  /** A foreground tab whose page gets `slowdown` times less processor. */
  async tab(slowdown: number): Promise<Tab> {
    const page = await this.context.newPage();
    await page.bringToFront();
    const cdp = await this.context.newCDPSession(page);
    if (slowdown > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return { page, cdp };
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A page and the protocol behind it. */
export type Tab = { page: Page; cdp: CDPSession };

/** Signs in by a one-time link. Returns the session's cookies, for all profiles of the measurement. */
export async function signIn(link: string): Promise<Cookies> {
  const profile = await Profile.open([]);
  try {
    const { page } = await profile.tab(1);
    await page.goto(link);
    await page.waitForURL(/\/runs/);
    return await profile.context.cookies();
  } finally {
    await profile.close();
  }
}

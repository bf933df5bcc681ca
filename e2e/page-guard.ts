import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** Set by any payload's script that runs. */
    __ran?: unknown;
    /** Violations of the page's CSP. */
    __refused?: string[];
  }
}

/** Watches a page for everything that a text must never cause. To be called before the page is opened. */
export async function guard(page: Page, origin: string): Promise<() => Promise<string[]>> {
  const seen: string[] = [];
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => seen.push(`popup: ${popup.url()}`));
  page.on("download", (download) => seen.push(`download: ${download.url()}`));
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:"))
      seen.push(`request: ${url}`);
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(`${origin}/`)) seen.push(`navigation: ${frame.url()}`);
  });
  await page.addInitScript(() => {
    window.__refused = [];
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      window.__refused?.push(`refused: ${effectiveDirective} ${blockedURI}`);
    });
  });
  return async () => {
    const inPage = await page.evaluate(() => {
      const ran = window.__ran === undefined ? [] : ["a script ran"];
      // The viewer never creates these elements, so they would be a payload's.
      const made = document.querySelectorAll(
        "main :is(iframe, object, embed, form[action], base, meta, script, link, video, audio)",
      );
      const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")].filter(
        ({ href }) => !/^(?:https?:|mailto:|blob:)/.test(href),
      );
      return [
        ...ran,
        ...(window.__refused ?? []),
        ...[...made].map((element) => `element: ${element.outerHTML.slice(0, 200)}`),
        ...links.map((link) => `link: ${link.href}`),
      ];
    });
    return [...seen, ...inPage];
  };
}

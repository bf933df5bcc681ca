/** Storage key of the theme. */
export const themeStorageKey = "errand-theme";

/**
 * Sets the theme before the first paint. An inline script for the head with the page's nonce; `<html>` needs
 * `suppressHydrationWarning`, because the script changes its class before React sees it.
 */
export const themeScript = `(() => {
  let theme = null;
  try { theme = localStorage.getItem("${themeStorageKey}"); } catch {}
  const isDark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", isDark);
})();`;

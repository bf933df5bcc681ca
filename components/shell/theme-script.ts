import { storedChoiceScript } from "#components/ui/stored-choice-script.ts";

/** Storage key of the theme. */
export const themeStorageKey = "errand-theme";

/** Shows the theme. `<html>` needs `suppressHydrationWarning`, because its class changes before React sees it. */
export const themeScript = storedChoiceScript(themeStorageKey, (theme) => {
  const isDark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", isDark);
});

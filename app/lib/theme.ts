/** What a person asked for. Light is the default; system follows the device. */
export type ThemePreference = "light" | "dark" | "system";

/** The cookie's name, and the key in local storage. */
export const THEME_KEY = "coreto-theme";
const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** `text` as a preference; anything else, nothing too, is light. */
export function themePreference(text: unknown): ThemePreference {
  return text === "dark" || text === "system" ? text : "light";
}

/** The preference that a request's cookie carries. */
export function themeOf(request: Request): ThemePreference {
  const cookies = request.headers.get("Cookie") ?? "";
  const match = /(?:^|;\s*)coreto-theme=([a-z]+)/.exec(cookies);
  return themePreference(match?.[1]);
}

/**
 * Readable by our own inline script (a cached page cannot ask the server), so not HttpOnly: it
 * holds nothing secret.
 */
export function themeCookie(preference: ThemePreference): string {
  return `${THEME_KEY}=${preference}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax`;
}

/** What the server can say about the class of the root element: for `system` only the browser knows. */
export function rootClass(preference: ThemePreference): "" | "light" | "dark" {
  return preference === "system" ? "" : preference;
}

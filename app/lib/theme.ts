/** A person's theme preference. Light is the default. System follows the device. */
export type ThemePreference = "light" | "dark" | "system";

/** The cookie's name, and the key in local storage. */
export const THEME_KEY = "coreto-theme";
const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Parses a preference. Anything else, also nothing, is light. */
export function themePreference(text: unknown): ThemePreference {
  return text === "dark" || text === "system" ? text : "light";
}

/** Returns the preference in a request's cookie. */
export function themeOf(request: Request): ThemePreference {
  const cookies = request.headers.get("Cookie") ?? "";
  const match = /(?:^|;\s*)coreto-theme=([a-z]+)/.exec(cookies);
  return themePreference(match?.[1]);
}

/**
 * Builds the theme cookie. Our own inline script reads it (a cached page cannot ask the server), so
 * it is not HttpOnly. It holds nothing secret.
 */
export function themeCookie(preference: ThemePreference): string {
  return `${THEME_KEY}=${preference}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; Secure; SameSite=Lax`;
}

/** Returns the root element's class as far as the server knows it: only the browser knows `system`. */
export function rootClass(preference: ThemePreference): "" | "light" | "dark" {
  return preference === "system" ? "" : preference;
}

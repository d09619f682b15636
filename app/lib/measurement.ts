/** Holds the choice about measurement. Without it nothing was chosen, and nothing is loaded. */
export const MEASUREMENT_COOKIE = "coreto-measurement";
const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

const MEASUREMENT_ALLOWED = "yes";
export const MEASUREMENT_REFUSED = "no";

/** Reads a form's answer; anything but a clear yes is a no. */
export const measurementChoice = (text: unknown): string =>
  text === MEASUREMENT_ALLOWED ? MEASUREMENT_ALLOWED : MEASUREMENT_REFUSED;

/** Builds the cookie of a choice. The page's own script reads it, so it is not HttpOnly. */
export const measurementCookie = (choice: string): string =>
  `${MEASUREMENT_COOKIE}=${choice}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; Secure; SameSite=Lax`;

/** The hosts of web analytics: of its script, and of what it sends. Only with a measurement id. */
export const MEASUREMENT_HOSTS = {
  script: "https://www.googletagmanager.com",
  calls: ["https://*.google-analytics.com", "https://*.analytics.google.com"],
} as const;

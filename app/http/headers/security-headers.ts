import type { Env } from "#app/configuration/env.ts";
import { INLINE_SCRIPT_HASHES, LIBRARY_STYLE_HASHES } from "#app/http/theme-script.ts";
import { MEASUREMENT_HOSTS } from "#app/lib/measurement.ts";
import { TRANSPORT_HEADERS } from "#app/lib/transport-headers.ts";
import { readExternalProviders } from "#app/configuration/external-providers.ts";
import { frontendApiHost } from "#app/lib/publishable-key.ts";

/** The camera reads tickets at the door of an event; the microphone records voice messages. */
const FOR_EVERY_ANSWER: readonly (readonly [name: string, value: string])[] = [
  ...TRANSPORT_HEADERS,
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(self), microphone=(self), geolocation=(), browsing-topics=()"],
];

/**
 * The content security policy of a document. A public page has no nonce, so that the edge can cache
 * it: its two scripts are allowed by hash.
 */
export function contentSecurityPolicy(env: Env, nonce: string | null): string {
  const trusted = nonce === null ? withMeasurement(env) : trustedOrigins(env);
  const scripts =
    nonce === null ? INLINE_SCRIPT_HASHES : [`'nonce-${nonce}'`, ...INLINE_SCRIPT_HASHES];
  const styles = nonce === null ? [] : addedStyles(env, nonce);
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts, ...trusted.scripts].join(" "),
    "style-src 'self'",
    ["style-src-elem 'self'", ...styles].join(" "),
    ["img-src 'self' data: blob:", ...trusted.images].join(" "),
    // A video's frame is drawn from the file being uploaded.
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...trusted.calls].join(" "),
    ["frame-src 'self'", ...trusted.frames].join(" "),
    ["form-action 'self'", ...trusted.forms].join(" "),
    ["worker-src 'self'", ...trusted.workers].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The blinking caret of Clerk's field for a code, the one style of Clerk's without a nonce. */
const CLERK_CARET_HASH = "'sha256-KQDhUccuEkZUQDnfbVDeY+ev2LZ+73AQR7ro4JppAY8='";

/**
 * What may add styles in the browser, beside our own files. Clerk's screens write theirs while they
 * run, with the document's nonce. The query devtools know none.
 */
function addedStyles(env: Env, nonce: string): readonly string[] {
  if (env.QUERY_DEVTOOLS === "true") return ["'unsafe-inline'"];
  const isWithClerk = frontendApiHost(env.CLERK_PUBLISHABLE_KEY) !== null;
  return isWithClerk
    ? [...LIBRARY_STYLE_HASHES, `'nonce-${nonce}'`, CLERK_CARET_HASH]
    : LIBRARY_STYLE_HASHES;
}

/** Adds the security headers of every response, unless it set one itself. */
export function withSecurityHeaders(response: Response): Response {
  const answer = new Response(response.body, response);
  for (const [name, value] of FOR_EVERY_ANSWER) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}

type TrustedOrigins = Record<
  "scripts" | "calls" | "frames" | "forms" | "images" | "workers",
  string[]
>;
const NONE_TRUSTED: TrustedOrigins = {
  scripts: [],
  calls: [],
  frames: [],
  forms: [],
  images: [],
  workers: [],
};

/**
 * The trusted origins. The card field is on the payment provider's origin; a form leads there by a
 * link of ours (`nextStepUrl`). Clerk, if configured, serves its own scripts, times a token's
 * minute in its own worker, and asks Cloudflare to detect bots.
 */
function trustedOrigins(env: Env): TrustedOrigins {
  const host = frontendApiHost(env.CLERK_PUBLISHABLE_KEY);
  const cardField =
    __LOCAL__ && env.SANDBOX_PUBLIC_URL ? [new URL(env.SANDBOX_PUBLIC_URL).origin] : [];
  // "Entrar com …" is a form whose response redirects to the other site.
  const elsewhere = readExternalProviders(env).providers.map(
    ({ issuer }) => new URL(issuer).origin,
  );
  const ours: TrustedOrigins = { ...NONE_TRUSTED, frames: cardField, forms: elsewhere };
  if (host === null) return ours;
  const clerk = `https://${host}`;
  return {
    ...ours,
    scripts: [clerk, CAPTCHA],
    calls: [clerk],
    frames: [...cardField, CAPTCHA],
    images: ["https://img.clerk.com"],
    workers: ["blob:"],
  };
}

/**
 * Web analytics, where it is configured: only on pages for everyone, whose address is no secret. It
 * is loaded only after the visitor's consent.
 */
function withMeasurement(env: Env): TrustedOrigins {
  if (!env.ANALYTICS_MEASUREMENT_ID) return NONE_TRUSTED;
  const calls = [...MEASUREMENT_HOSTS.calls];
  return { ...NONE_TRUSTED, scripts: [MEASUREMENT_HOSTS.script], calls, images: calls };
}

const CAPTCHA = "https://challenges.cloudflare.com";

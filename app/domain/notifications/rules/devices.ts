/** More than anybody uses; the device that was added first goes. */
export const DEVICES_MAX = 10;

const ENDPOINT_MAX = 1_000;
/** An uncompressed point of P-256, and a secret. Source: RFC 8291, section 3.1. */
const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

/** The push services of Chrome, Firefox, Safari and Edge. */
const PUSH_SERVICES =
  /^(fcm\.googleapis\.com|([a-z0-9-]+\.)*push\.services\.mozilla\.com|([a-z0-9-]+\.)*push\.apple\.com|([a-z0-9-]+\.)*notify\.windows\.com)$/;

/**
 * Returns whether an address is a known push service's: https, no port or account. We send to it,
 * so that nobody may name a host of their own or inside a network.
 */
export function isPushEndpoint(text: string): boolean {
  const url = text.length <= ENDPOINT_MAX ? URL.parse(text) : null;
  if (url === null || url.protocol !== "https:" || url.port !== "") return false;
  if (url.username !== "" || url.password !== "") return false;
  return PUSH_SERVICES.test(url.hostname);
}

/** Returns whether the keys that a browser gave have the form of RFC 8291. */
export function arePushKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = fromBase64Url(p256dh);
  return (
    point?.length === PUBLIC_KEY_BYTES &&
    point[0] === 4 &&
    fromBase64Url(auth)?.length === AUTH_BYTES
  );
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "Chromebook"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/Linux/, "Linux"],
];

/** Names a device by its browser and system: "Chrome no Android". */
export function deviceLabel(userAgent: string): string {
  const named = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1];
  const system = named(SYSTEMS);
  return `${named(BROWSERS) ?? "Navegador"}${system === undefined ? "" : ` no ${system}`}`;
}

/** Reads base64url with or without padding; null if it is none. */
function fromBase64Url(text: string): Uint8Array | null {
  const letters = text.replace(/=+$/, "");
  if (!/^[\w-]{1,200}$/.test(letters) || letters.length % 4 === 1) return null;
  const bytes = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
}

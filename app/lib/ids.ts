/**
 * Returns 32 lower-case hex digits: 48 bits of time, then randomness, so that later ids sort later
 * (RFC 9562, version 7, without hyphens).
 */
export function timeOrderedId(atMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(atMs / 2 ** 32));
  view.setUint32(2, atMs % 2 ** 32);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns when an id of `timeOrderedId` was made; null for anything else. */
export function timeOfId(id: string): number | null {
  return /^[0-9a-f]{12}7[0-9a-f]{19}$/.test(id) ? Number.parseInt(id.slice(0, 12), 16) : null;
}

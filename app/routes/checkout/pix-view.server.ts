import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { qrDrawing } from "./qr-code.server.ts";

export type PixShown = {
  code: string;
  qr: QrDrawing;
  leftMs: number;
  wholeMs: number;
  expiresAt: Instant;
};

/** Returns a Pix code as a page shows it, with the time until it expires. */
export function pixShown(
  { pixCode, expiresAt, createdAt }: { pixCode: string; expiresAt: Instant; createdAt: Instant },
  now: Instant,
): PixShown {
  return {
    code: pixCode,
    qr: qrDrawing(pixCode),
    leftMs: Math.max(0, expiresAt - now),
    wholeMs: Math.max(1, expiresAt - createdAt),
    expiresAt,
  };
}

/**
 * Returns when a page stops its live updates. It is later than the expiry of any Pix code. It is on
 * the hour, so that a reloaded page has the same address.
 */
export const listensUntil = (now: Instant): Instant => Math.ceil(now / HOUR_MS + 1) * HOUR_MS;

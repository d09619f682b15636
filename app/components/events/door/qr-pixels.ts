import decodeQr from "qr/decode.js";

/** Time for the attempts at one picture (milliseconds). */
const TIME_LIMIT_MS = 100;

/** Decodes the QR code of a picture (RGBA); "" without one. */
export function decodePixels(pixels: Pick<ImageData, "data" | "width" | "height"> | null): string {
  if (!pixels) return "";
  try {
    return decodeQr(pixels, { timeLimit: TIME_LIMIT_MS });
  } catch {
    // The decoder throws where it finds none.
    return "";
  }
}

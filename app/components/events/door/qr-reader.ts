/** Something that the browser draws: a video's frame or a photo. */
type Picture = HTMLVideoElement | ImageBitmap;

/** Reads the QR code of a picture; "" without one. */
export type QrReader = (picture: Picture) => Promise<string>;

type Detector = { detect(source: Picture): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** The longest side of what our own decoder looks at (pixels). */
const SIDE_MAX = 800;

/**
 * Returns the browser's own reader (Shape Detection API) where it reads QR codes. iPhones and
 * Firefox have none: there a decoder is loaded.
 */
export async function qrReader(): Promise<QrReader> {
  const Detector = detectorClass();
  const formats: string[] = (await Detector?.getSupportedFormats().catch(() => [])) ?? [];
  if (Detector && formats.includes("qr_code")) {
    const detector = new Detector({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture).catch(() => []))[0]?.rawValue ?? "";
  }
  const { decodePixels } = await import("./qr-pixels.ts");
  return async (picture) => decodePixels(pixelsOf(picture));
}

const detectorClass = (): DetectorClass | null =>
  "BarcodeDetector" in globalThis
    ? (globalThis as unknown as { BarcodeDetector: DetectorClass }).BarcodeDetector
    : null;

function pixelsOf(picture: Picture): ImageData | null {
  const [width, height] =
    picture instanceof HTMLVideoElement
      ? [picture.videoWidth, picture.videoHeight]
      : [picture.width, picture.height];
  if (width === 0 || height === 0) return null;
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return drawing?.getImageData(0, 0, canvas.width, canvas.height) ?? null;
}

import { LARGEST_IMAGE_BYTES, mediaVariants } from "#app/domain/media/rules/limits.ts";
import type { MediaItem, MediaKind, MediaPurpose, MediaVariant } from "./schema.ts";
import { avifHeader } from "#app/domain/media/rules/avif.ts";

export type ImageHeader = {
  contentType: "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/avif";
  width: number;
  height: number;
};
export type ImageVerdict =
  | { ok: true; header: ImageHeader }
  | { ok: false; why: "not_an_image" | "too_heavy" | "too_large" };

const LARGEST_SIDE_PIXELS = 12_000;
const LARGEST_AREA_PIXELS = 50_000_000;

/** Small enough to reveal nothing of a locked image. Source: domain rules, "Access to a post". */
export const THUMBNAIL_WIDTH_PIXELS = 24;

/**
 * Widths stored of each upload, widest first. The original is not stored, because it may contain a
 * location.
 */
export function variantsOf(
  purpose: MediaPurpose,
): { variant: MediaVariant; maxWidthPixels: number }[] {
  if (purpose === "post") {
    return [
      { variant: "1920", maxWidthPixels: 1920 },
      { variant: "1280", maxWidthPixels: 1280 },
      { variant: "640", maxWidthPixels: 640 },
      { variant: "face", maxWidthPixels: THUMBNAIL_WIDTH_PIXELS },
    ];
  }
  if (purpose === "cover") {
    return [
      { variant: "1280", maxWidthPixels: 1280 },
      { variant: "640", maxWidthPixels: 640 },
      { variant: "face", maxWidthPixels: THUMBNAIL_WIDTH_PIXELS },
    ];
  }
  if (purpose === "message") {
    return [
      { variant: "1280", maxWidthPixels: 1280 },
      { variant: "640", maxWidthPixels: 640 },
    ];
  }
  return [
    { variant: "1280", maxWidthPixels: 1280 },
    { variant: "320", maxWidthPixels: 320 },
  ];
}

/**
 * Returns the variants of `variantsOf` to store for an image of `width` pixels. Leaves out one that
 * would repeat the next smaller.
 */
function variantsFor(
  purpose: MediaPurpose,
  width: number,
): { variant: MediaVariant; maxWidthPixels: number }[] {
  return variantsOf(purpose).filter(({ variant }) => variant !== "1920" || width > 1280);
}

type StoredMedia = {
  purpose: MediaPurpose;
  kind: MediaKind;
  width: number;
  hasPoster: boolean;
  captionsVersion: number;
};

/**
 * Returns whether bytes exist for `variant`. A video or audio has its original, and the poster of a
 * video has a thumbnail.
 */
export function isVariantStored(media: StoredMedia, variant: MediaVariant): boolean {
  if (media.kind === "image")
    return variantsFor(media.purpose, media.width).some((allowed) => allowed.variant === variant);
  if (variant === "original") return true;
  if (variant === "captions") return media.captionsVersion > 0;
  return media.hasPoster && (variant === "poster" || variant === "face");
}

/**
 * Returns whether a locked card can show a thumbnail of the file. Otherwise it shows the creator's
 * pattern.
 */
export function hasThumbnail(item: Pick<MediaItem, "kind" | "hasPoster">): boolean {
  return item.kind === "image" || item.hasPoster;
}

/** Returns the `srcset` of an image in a post. */
export function mediaSrcSet(item: Pick<MediaItem, "id" | "width">): string {
  const widest =
    item.width > 1280 ? [`${mediaUrl(item.id, "1920")} ${Math.min(1920, item.width)}w`] : [];
  return [`${mediaUrl(item.id, "640")} 640w`, `${mediaUrl(item.id, "1280")} 1280w`, ...widest].join(
    ", ",
  );
}

/** Formats a size in decimal units: "2,4 MB". */
export function formatSize(sizeBytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let size = sizeBytes;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size.toLocaleString("pt-BR", { maximumFractionDigits: unit < 2 ? 0 : 1 })} ${units[unit]}`;
}

export function mediaKey(mediaId: string, variant: MediaVariant): string {
  return `media/${mediaId}/${variant}`;
}

/** Returns the URL of one variant on our own site. */
export function mediaUrl(mediaId: string, variant: MediaVariant): string {
  return `/media/${mediaId}/${variant}`;
}

export function isMediaVariant(text: string): text is MediaVariant {
  return (mediaVariants as readonly string[]).includes(text);
}

/**
 * Returns whether `bytes` can be stored as an image. The first bytes must be those of a JPG, PNG,
 * GIF, WEBP or AVIF. It has at most 10 MB, 12,000 pixels a side and 50 megapixels. The header is
 * read before anything is decoded.
 */
export function inspectImage(bytes: Uint8Array): ImageVerdict {
  if (bytes.byteLength > LARGEST_IMAGE_BYTES) return { ok: false, why: "too_heavy" };
  const header = imageHeader(bytes);
  if (!header || header.width === 0 || header.height === 0)
    return { ok: false, why: "not_an_image" };
  return isTooManyPixels(header) ? { ok: false, why: "too_large" } : { ok: true, header };
}

/**
 * Returns whether an image has too many pixels. A small file can need much memory, so the size in
 * its header is refused before decoding.
 */
export function isTooManyPixels({ width, height }: { width: number; height: number }): boolean {
  return Math.max(width, height) > LARGEST_SIDE_PIXELS || width * height > LARGEST_AREA_PIXELS;
}

/** Reads type and size from the header; null for anything but a JPG, PNG, GIF, WEBP or AVIF. */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (
    pngHeader(view) ?? gifHeader(view) ?? webpHeader(view) ?? jpegHeader(view) ?? avifHeader(view)
  );
}

function ascii(view: DataView, offset: number, length: number): string {
  if (view.byteLength < offset + length) return "";
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

function pngHeader(view: DataView): ImageHeader | null {
  if (
    view.byteLength < 24 ||
    ascii(view, 0, 8) !== "\u0089PNG\r\n\u001a\n" ||
    ascii(view, 12, 4) !== "IHDR"
  )
    return null;
  return { contentType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gifHeader(view: DataView): ImageHeader | null {
  if (!/^GIF8[79]a$/.test(ascii(view, 0, 6)) || view.byteLength < 10) return null;
  return {
    contentType: "image/gif",
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
  };
}

/**
 * Reads the size of a WEBP, which its three containers store in three places (RFC 9649, sections
 * 2.5 to 2.7).
 */
function webpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== "RIFF" || ascii(view, 8, 4) !== "WEBP")
    return null;
  const contentType = "image/webp" as const;
  const kind = ascii(view, 12, 4);
  const uint24 = (offset: number) =>
    view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
  if (kind === "VP8X") return { contentType, width: uint24(24) + 1, height: uint24(27) + 1 };
  if (kind === "VP8 ")
    return {
      contentType,
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    };
  if (kind !== "VP8L" || view.getUint8(20) !== 0x2f) return null;
  const packed = view.getUint32(21, true);
  return { contentType, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** Walks the segments to the frame header, where the size is. */
function jpegHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let offset = 2;
  while (offset + 9 < view.byteLength) {
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return {
        contentType: "image/jpeg",
        width: view.getUint16(offset + 7),
        height: view.getUint16(offset + 5),
      };
    if (marker === 0xd9 || marker === 0xda) return null;
    offset += 2 + Math.max(2, view.getUint16(offset + 2));
  }
  return null;
}

import { z } from "zod";

/** Where bytes live. A key is `media/<id>/<variant>`. */
export type MediaStore = {
  put(key: string, bytes: ArrayBuffer | Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<{ body: ReadableStream; contentType: string; sizeBytes: number; etag: string } | null>;
  delete(keys: string[]): Promise<void>;
  /** Re-encoded to WEBP, at most `maxWidth` wide, turned upright and without metadata. Refuses what is not an image. */
  resized(bytes: ArrayBuffer | Uint8Array, maxWidth: number): Promise<{ bytes: ArrayBuffer; contentType: "image/webp"; width: number; height: number }>;
};

export const mediaPurposes = ["avatar", "banner", "post"] as const;
export type MediaPurpose = (typeof mediaPurposes)[number];

export const mediaVariants = ["face", "320", "640", "1280"] as const;
export type MediaVariant = (typeof mediaVariants)[number];

/** What a screen needs to show an image. */
export type MediaItem = { id: string; alt: string; width: number; height: number };

/** Spec section 5: a profile image stays under 10 MB; the same holds for every upload, whose form is read in memory. */
export const LARGEST_IMAGE_BYTES = 10 * 1024 * 1024;
export const ALT_MAX = 300;

/** For the `accept` of a file input. The bytes decide, not the name. */
export const ACCEPTED_IMAGES = "image/jpeg,image/png,image/gif,image/webp";

/** A file input, which workerd reads as an empty text when nothing was chosen. */
export const optionalImageSchema = z
  .union([z.literal("").transform(() => undefined), z.file()])
  .optional();

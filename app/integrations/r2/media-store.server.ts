import type { MediaStore } from "#app/domain/media/schema.ts";
import { imageHeader } from "#app/domain/media/rules.ts";

const WEBP = "image/webp" as const;
const WEBP_QUALITY = 82;
/** A variant never changes: a new image gets a new id. */
const STORED_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** MediaStore over an R2 bucket and the Images binding, which turns an image upright and drops its metadata when it re-encodes. */
export function r2MediaStore(bucket: R2Bucket, images: ImagesBinding): MediaStore {
  return {
    async put(key, bytes, contentType) {
      await bucket.put(key, bytes, { httpMetadata: { contentType, cacheControl: STORED_CACHE_CONTROL } });
    },
    async get(key) {
      const object = await bucket.get(key);
      if (!object) return null;
      return {
        body: object.body,
        contentType: object.httpMetadata?.contentType ?? "application/octet-stream",
        sizeBytes: object.size,
        etag: object.httpEtag,
      };
    },
    async delete(keys) {
      if (keys.length > 0) await bucket.delete(keys);
    },
    async resized(bytes, maxWidth) {
      const result = await images
        .input(new Blob([bytes instanceof ArrayBuffer ? bytes : new Uint8Array(bytes)]).stream())
        .transform({ width: maxWidth, fit: "scale-down" })
        .output({ format: WEBP, quality: WEBP_QUALITY });
      const encoded = await result.response().arrayBuffer();
      const header = imageHeader(new Uint8Array(encoded));
      if (header?.contentType !== WEBP) throw new Error("the Images binding answered no WEBP");
      return { bytes: encoded, contentType: WEBP, width: header.width, height: header.height };
    },
  };
}

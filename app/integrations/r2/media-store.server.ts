import type { FilePart } from "#app/domain/media/schema.ts";
import type { MediaStore } from "#app/domain/media/schema.ts";
import { imageHeader } from "#app/domain/media/rules.ts";

const WEBP = "image/webp" as const;
const WEBP_QUALITY = 82;
/** A variant never changes: a new image gets a new id. */
const STORED_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** R2's 10024: the upload was completed or aborted before. */
function isOver(error: unknown): boolean {
  return error instanceof Error && /10024|does not exist/.test(error.message);
}

/**
 * Implements MediaStore with an R2 bucket and the Images binding, which rotates an image upright
 * and drops its metadata when it re-encodes.
 */
export function r2MediaStore(bucket: R2Bucket, images: ImagesBinding): MediaStore {
  return {
    async put(key, bytes, contentType) {
      await bucket.put(key, bytes, {
        httpMetadata: { contentType, cacheControl: STORED_CACHE_CONTROL },
      });
    },
    async get(key, range) {
      const object = await bucket.get(
        key,
        range
          ? { range: { offset: range.first, length: range.last - range.first + 1 } }
          : undefined,
      );
      if (!object) return null;
      return {
        body: object.body,
        contentType: object.httpMetadata?.contentType ?? "application/octet-stream",
        sizeBytes: object.size,
        etag: object.httpEtag,
      };
    },
    async sizeOf(key) {
      return (await bucket.head(key))?.size ?? null;
    },
    async delete(keys) {
      if (keys.length > 0) await bucket.delete(keys);
    },
    async resized(source, maxWidth) {
      const result = await images
        .input(
          source instanceof ReadableStream
            ? source
            : new Blob([source instanceof ArrayBuffer ? source : new Uint8Array(source)]).stream(),
        )
        .transform({ width: maxWidth, fit: "scale-down" })
        .output({ format: WEBP, quality: WEBP_QUALITY });
      const encoded = await result.response().arrayBuffer();
      const header = imageHeader(new Uint8Array(encoded));
      if (header?.contentType !== WEBP) throw new Error("the Images binding answered no WEBP");
      return { bytes: encoded, contentType: WEBP, width: header.width, height: header.height };
    },
    async beginUpload(key) {
      return (
        await bucket.createMultipartUpload(key, {
          httpMetadata: { cacheControl: STORED_CACHE_CONTROL },
        })
      ).uploadId;
    },
    async putPart(key, uploadId, { number, body, sizeBytes }) {
      // R2 needs the length in advance; a body of another length breaks the stream, and with it the
      // part.
      const exact = new FixedLengthStream(sizeBytes);
      const [part] = await Promise.all([
        bucket.resumeMultipartUpload(key, uploadId).uploadPart(number, exact.readable),
        body.pipeTo(exact.writable),
      ]);
      return { number: part.partNumber, etag: part.etag };
    },
    async copyPart(key, uploadId, { number, pieces, sizeBytes }) {
      const exact = new FixedLengthStream(sizeBytes);
      const [part] = await Promise.all([
        bucket.resumeMultipartUpload(key, uploadId).uploadPart(number, exact.readable),
        writePieces(bucket, key, pieces, exact.writable),
      ]);
      return { number: part.partNumber, etag: part.etag };
    },
    async finishUpload(key, uploadId, parts) {
      await bucket
        .resumeMultipartUpload(key, uploadId)
        .complete(parts.map(({ number, etag }) => ({ partNumber: number, etag })));
    },
    async abandonUpload(key, uploadId) {
      try {
        await bucket.resumeMultipartUpload(key, uploadId).abort();
      } catch (error) {
        if (!isOver(error)) throw error;
      }
    },
  };
}

/** Writes new and stored bytes. Stored bytes stream from the bucket, not through memory objects. */
async function writePieces(
  bucket: R2Bucket,
  key: string,
  pieces: readonly FilePart[],
  writable: WritableStream,
): Promise<void> {
  for (const piece of pieces) {
    if (piece.kind === "written") {
      const writer = writable.getWriter();
      await writer.write(piece.bytes);
      writer.releaseLock();
      continue;
    }
    const { first, last } = piece.range;
    const object = await bucket.get(key, { range: { offset: first, length: last - first + 1 } });
    if (!object) {
      await writable.abort("gone");
      throw new Error("the upload's bytes are gone");
    }
    await object.body.pipeTo(writable, { preventClose: true });
  }
  await writable.close();
}

import type { MediaStore } from "#app/domain/media/schema.ts";

type Multipart = Pick<
  MediaStore,
  "get" | "sizeOf" | "put" | "beginUpload" | "putPart" | "finishUpload" | "abandonUpload"
>;

/**
 * Uploads of small files, in parts or whole, in memory; `put` stores each file once it is whole.
 * Pictures are not read again, and so not held.
 */
export function multipartUploads(
  put: (key: string, bytes: ArrayBuffer | Uint8Array, contentType?: string) => Promise<void>,
): Multipart {
  const parts = new Map<string, Map<number, Uint8Array>>();
  const whole = new Map<string, Uint8Array>();
  return {
    beginUpload: async (key) => {
      parts.set(key, new Map());
      return key;
    },
    putPart: async (key, _uploadId, { number, body }) => {
      parts.get(key)?.set(number, new Uint8Array(await new Response(body).arrayBuffer()));
      return { number, etag: `${key} ${number}` };
    },
    finishUpload: async (key) => {
      const inOrder = [...(parts.get(key) ?? [])].toSorted(([left], [right]) => left - right);
      const bytes = new Uint8Array(Buffer.concat(inOrder.map(([, part]) => part)));
      parts.delete(key);
      whole.set(key, bytes);
      await put(key, bytes);
    },
    put: async (key, bytes, contentType) => {
      if (key.endsWith("/original")) whole.set(key, new Uint8Array(bytes));
      await put(key, bytes, contentType);
    },
    abandonUpload: async (key) => void parts.delete(key),
    sizeOf: async (key) => whole.get(key)?.byteLength ?? null,
    get: async (key, range) => {
      const bytes = whole.get(key);
      if (!bytes) return null;
      const asked = range ? bytes.slice(range.first, range.last + 1) : bytes.slice();
      const body = new Blob([asked]).stream();
      return { body, contentType: "", sizeBytes: bytes.byteLength, etag: key };
    },
  };
}

/** Where bytes live. A key is `media/<id>/<variant>`. */
export type MediaStore = {
  put(key: string, bytes: ArrayBuffer | Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<{ body: ReadableStream; contentType: string; sizeBytes: number; etag: string } | null>;
  delete(keys: string[]): Promise<void>;
  /** Re-encoded to WEBP, at most `maxWidth` wide, turned upright and without metadata. Refuses what is not an image. */
  resized(bytes: ArrayBuffer | Uint8Array, maxWidth: number): Promise<{ bytes: ArrayBuffer; contentType: "image/webp"; width: number; height: number }>;
};

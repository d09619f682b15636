import { z } from "zod";
import { ALT_MAX, MEDIA_PER_POST_MAX, MIB } from "#app/domain/media/rules/limits.ts";
import type { mediaVariants } from "#app/domain/media/rules/limits.ts";

const mediaKinds = ["image", "video", "audio", "document"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A range of an object's bytes, both ends included, as in HTTP. */
export type ByteRange = { first: number; last: number };

/** A part of a rewritten file: a range of existing bytes, or new bytes. */
export type FilePart = { kind: "kept"; range: ByteRange } | { kind: "written"; bytes: Uint8Array };

/** An uploaded part of a multipart upload. */
type StoredPart = { number: number; etag: string };

/** Stores bytes. A key is `media/<id>/<variant>`. */
export type MediaStore = {
  put(key: string, bytes: ArrayBuffer | Uint8Array, contentType: string): Promise<void>;
  /**
   * Reads the object, or `range` of it, which must lie within it. `sizeBytes` is always that of the
   * whole.
   */
  get(
    key: string,
    range?: ByteRange,
  ): Promise<{ body: ReadableStream; contentType: string; sizeBytes: number; etag: string } | null>;
  /** Returns the object's size in bytes, or null without one. */
  sizeOf(key: string): Promise<number | null>;
  delete(keys: string[]): Promise<void>;
  /**
   * Re-encodes to WEBP, at most `maxWidth` wide, rotated upright and without metadata. Refuses what
   * is not an image.
   */
  resized(
    source: ArrayBuffer | Uint8Array | ReadableStream,
    maxWidth: number,
  ): Promise<{ bytes: ArrayBuffer; contentType: "image/webp"; width: number; height: number }>;
  /** Starts a multipart upload. Returns the bucket's id of it. */
  beginUpload(key: string): Promise<string>;
  /**
   * Streams one part without holding it in memory. Fails unless `body` has exactly `sizeBytes`. A
   * repeated number replaces the part.
   */
  putPart(
    key: string,
    uploadId: string,
    part: { number: number; body: ReadableStream; sizeBytes: number },
  ): Promise<StoredPart>;
  /** Writes one part from ranges of the object of that key and new bytes, streamed too. */
  copyPart(
    key: string,
    uploadId: string,
    part: { number: number; pieces: FilePart[]; sizeBytes: number },
  ): Promise<StoredPart>;
  /**
   * Assembles the object atomically, in place of any other of that key. Fails when a part is
   * missing or differs from `parts`.
   */
  finishUpload(key: string, uploadId: string, parts: StoredPart[]): Promise<void>;
  /** Deletes the parts. Does nothing for an upload that is over. */
  abandonUpload(key: string, uploadId: string): Promise<void>;
};

/** The person, target and expiry of a link. */
export type SignedLink = {
  mediaId: string;
  variant: MediaVariant;
  personId: string;
  expiresAt: number;
};

/**
 * Signs URLs for players that send no cookies. The signature identifies the person. Each request
 * checks their access.
 */
export type LinkSigner = {
  sign(link: SignedLink): Promise<string>;
  isGenuine(link: SignedLink, signature: string): Promise<boolean>;
};

const mediaPurposes = ["avatar", "banner", "post", "cover", "message"] as const;
export type MediaPurpose = (typeof mediaPurposes)[number];

export type MediaVariant = (typeof mediaVariants)[number];

/** What a screen needs to show a file of a post. */
export type MediaItem = {
  id: string;
  kind: MediaKind;
  contentType: string;
  alt: string;
  /** Pixels of the widest variant; 0 for a file that is not visual. */
  width: number;
  height: number;
  /** Empty for images. */
  filename: string;
  sizeBytes: number;
  hasPoster: boolean;
  captionsVersion: number;
};

/** R2 takes parts of 5 MiB and more, all of one size but the last. */
export const PART_BYTES = 8 * MIB;
/** Enough for a gallery started in two tabs. */
export const OPEN_UPLOADS_MAX = 20;
export const QUOTA_BYTES = 100 * 1024 * MIB;
const FILENAME_MAX = 200;

/** A file input, which workerd parses as an empty text without a file. */
export const optionalImageSchema = z
  .union([z.literal("").transform(() => undefined), z.file()])
  .optional();

/** What a browser declares about a file before it uploads it. */
export const uploadSchema = z.object({
  filename: z
    .string()
    .trim()
    .min(1, "O arquivo precisa de um nome.")
    .transform((name) => name.slice(0, FILENAME_MAX)),
  /** Empty where the browser knows no type. Then the name decides. */
  contentType: z.string().max(100).default(""),
  sizeBytes: z
    .number({ error: "Falta o tamanho do arquivo." })
    .int()
    .min(1, "O arquivo está vazio.")
    .max(Number.MAX_SAFE_INTEGER),
  fingerprint: z.string().max(400).default(""),
});

/** The state of an upload, for its sender. */
export type UploadState = {
  id: string;
  kind: MediaKind;
  filename: string;
  fingerprint: string;
  sizeBytes: number;
  partSizeBytes: number;
  /** Numbers of the uploaded parts, ascending. */
  parts: number[];
};

const oneOrMany = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((values) => (Array.isArray(values) ? values : [values]));

/** The picker's form fields: ids in their order, and descriptions by the same index. */
export const pickedMediaFields = {
  mediaIds: oneOrMany.refine(
    (ids) => ids.length <= MEDIA_PER_POST_MAX,
    `Use até ${MEDIA_PER_POST_MAX} arquivos por publicação.`,
  ),
  mediaAlts: oneOrMany.refine(
    (alts) => alts.every((alt) => alt.trim().length <= ALT_MAX),
    `Use até ${ALT_MAX} caracteres em cada descrição.`,
  ),
};

/** A file that a post shows, with its description. */
export type PickedMedia = { mediaId: string; alt: string };

/** Joins the two lists of the form. */
export function pickedMedia({
  mediaIds,
  mediaAlts,
}: {
  mediaIds: string[];
  mediaAlts: string[];
}): PickedMedia[] {
  return [...new Set(mediaIds)]
    .filter(Boolean)
    .map((mediaId) => ({ mediaId, alt: (mediaAlts[mediaIds.indexOf(mediaId)] ?? "").trim() }));
}

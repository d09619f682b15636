import { z } from "zod";

const mediaKinds = ["image", "video", "audio", "document"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A part of an object, both ends included, as HTTP counts them. */
export type ByteRange = { first: number; last: number };

/**
 * A part of a file that is written again: bytes that stay, by where they are, or bytes in place of
 * those that were there.
 */
export type FilePart = { kind: "kept"; range: ByteRange } | { kind: "written"; bytes: Uint8Array };

/** What was already sent of a multipart upload. */
type StoredPart = { number: number; etag: string };

/** Where bytes live. A key is `media/<id>/<variant>`. */
export type MediaStore = {
  put(key: string, bytes: ArrayBuffer | Uint8Array, contentType: string): Promise<void>;
  /**
   * The object, or of it `range` alone, which must lie within it. `sizeBytes` is always that of the
   * whole.
   */
  get(
    key: string,
    range?: ByteRange,
  ): Promise<{ body: ReadableStream; contentType: string; sizeBytes: number; etag: string } | null>;
  /** The size of the object in bytes, or null when there is none. */
  sizeOf(key: string): Promise<number | null>;
  delete(keys: string[]): Promise<void>;
  /**
   * Re-encoded to WEBP, at most `maxWidth` wide, turned upright and without metadata. Refuses what
   * is not an image.
   */
  resized(
    source: ArrayBuffer | Uint8Array | ReadableStream,
    maxWidth: number,
  ): Promise<{ bytes: ArrayBuffer; contentType: "image/webp"; width: number; height: number }>;
  /** Begins an object that comes in parts; gives the bucket's name of that upload. */
  beginUpload(key: string): Promise<string>;
  /**
   * Streams one part, never held in memory; fails unless `body` has exactly `sizeBytes`. A number
   * sent again replaces what it was.
   */
  putPart(
    key: string,
    uploadId: string,
    part: { number: number; body: ReadableStream; sizeBytes: number },
  ): Promise<StoredPart>;
  /** Writes stretches of the object of that key, and bytes between them, as one part, streamed too. */
  copyPart(
    key: string,
    uploadId: string,
    part: { number: number; stretches: FilePart[]; sizeBytes: number },
  ): Promise<StoredPart>;
  /**
   * Makes the object whole, at once, in place of any of that key. Fails when a part is missing or
   * another than `parts` says.
   */
  finishUpload(key: string, uploadId: string, parts: StoredPart[]): Promise<void>;
  /** Forgets the parts. Harmless for an upload that is over. */
  abandonUpload(key: string, uploadId: string): Promise<void>;
};

/** Who may follow a link, to what, and until when. */
export type SignedLink = {
  mediaId: string;
  variant: MediaVariant;
  personId: string;
  expiresAt: number;
};

/**
 * Signs addresses for players that send no cookies. The signature says who asks; what they may have
 * is decided on every request.
 */
export type LinkSigner = {
  sign(link: SignedLink): Promise<string>;
  isGenuine(link: SignedLink, signature: string): Promise<boolean>;
};

const mediaPurposes = ["avatar", "banner", "post", "cover"] as const;
export type MediaPurpose = (typeof mediaPurposes)[number];

export const mediaVariants = [
  "face",
  "320",
  "640",
  "1280",
  "1920",
  "original",
  "poster",
  "captions",
] as const;
export type MediaVariant = (typeof mediaVariants)[number];

/** What a screen needs to show a file of a post. */
export type MediaItem = {
  id: string;
  kind: MediaKind;
  contentType: string;
  alt: string;
  /** Pixels of the widest variant; 0 for what is not seen. */
  width: number;
  height: number;
  /** Empty for images. */
  filename: string;
  sizeBytes: number;
  hasPoster: boolean;
  captionsVersion: number;
};

const MIB = 1024 * 1024;

/**
 * Spec section 5: a profile image stays under 10 MB; the same holds for every image in a form,
 * which is read in memory.
 */
export const LARGEST_IMAGE_BYTES = 10 * MIB;
/** Of what comes in parts. Source: issue 4, "Media"; audio and PDF are ours. */
export const LARGEST_BYTES: Record<MediaKind, number> = {
  image: 25 * MIB,
  video: 2048 * MIB,
  audio: 500 * MIB,
  document: 100 * MIB,
};
/** R2 takes parts of 5 MiB and more, all of one size but the last. */
export const PART_BYTES = 8 * MIB;
export const LARGEST_POSTER_BYTES = 2 * MIB;
export const LARGEST_CAPTIONS_BYTES = MIB;
/** Enough for a gallery begun in two tabs. */
export const OPEN_UPLOADS_MAX = 20;
export const QUOTA_BYTES = 100 * 1024 * MIB;
export const MEDIA_PER_POST_MAX = 20;
export const ALT_MAX = 300;
const FILENAME_MAX = 200;

/** For the `accept` of a file input. The bytes decide, not the name. */
export const ACCEPTED_IMAGES = "image/jpeg,image/png,image/gif,image/webp,image/avif";
export const ACCEPTED_FILES = `${ACCEPTED_IMAGES},video/mp4,video/webm,audio/mpeg,audio/mp4,audio/x-m4a,audio/ogg,application/pdf,.jpg,.png,.gif,.webp,.avif,.mp4,.webm,.mp3,.m4a,.ogg,.oga,.opus,.pdf`;

/** A file input, which workerd reads as an empty text when nothing was chosen. */
export const optionalImageSchema = z
  .union([z.literal("").transform(() => undefined), z.file()])
  .optional();

/** What a browser says of a file before it sends it. */
export const uploadSchema = z.object({
  filename: z
    .string()
    .trim()
    .min(1, "O arquivo precisa de um nome.")
    .transform((name) => name.slice(0, FILENAME_MAX)),
  /** Empty where the browser knows no type; then the name is asked. */
  contentType: z.string().max(100).default(""),
  sizeBytes: z
    .number({ error: "Falta o tamanho do arquivo." })
    .int()
    .min(1, "O arquivo está vazio.")
    .max(Number.MAX_SAFE_INTEGER),
  fingerprint: z.string().max(400).default(""),
});

/** How an upload stands, for whoever sends it. */
export type UploadState = {
  id: string;
  kind: MediaKind;
  filename: string;
  fingerprint: string;
  sizeBytes: number;
  partSizeBytes: number;
  /** Numbers of the parts that came, ascending. */
  parts: number[];
};

const oneOrMany = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((values) => (Array.isArray(values) ? values : [values]));

/** The picker's files in a form: ids in their order, and the description of each at the same place. */
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

/** The two lists of the form as one. */
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

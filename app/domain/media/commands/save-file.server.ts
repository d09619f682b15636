import type { Context } from "#app/domain/context.ts";
import { FileRefused, FileTooHeavy, FileTypeMismatch } from "#app/domain/media/errors.ts";
import { mediaKey, variantsOf } from "#app/domain/media/rules.ts";
import { inspectFile, matchesDeclaredKind, isTooHeavy } from "#app/domain/media/rules/files.ts";
import type {
  BytePatch,
  InspectionResult,
  ReadRequest,
} from "#app/domain/media/rules/inspection.ts";
import { mergePatches, sliceFile } from "#app/domain/media/rules/patches.ts";
import type { MediaKind, MediaPurpose } from "#app/domain/media/schema.ts";

type AssembledUpload = { id: string; kind: MediaKind; sizeBytes: number; filename: string };
export type StoredFile = {
  kind: MediaKind;
  contentType: string;
  sizeBytes: number;
  width: number;
  height: number;
  filename: string;
};

/** Part size of a rewritten file. It is larger than an upload's, since nobody waits for each part. */
const REWRITE_PART_BYTES = 64 * 1024 * 1024;

/**
 * Validates the assembled bytes of an upload and makes them safe to show. An image becomes its
 * re-encoded variants. A video or audio has its locations overwritten in place. Returns the values
 * of its row.
 */
export async function saveFile(ctx: Context, file: AssembledUpload): Promise<StoredFile> {
  const key = mediaKey(file.id, "original");
  const verdict = await inspected(ctx, key, file.sizeBytes);
  if (!verdict.ok) throw new FileRefused(verdict.why);
  if (!matchesDeclaredKind(file.kind, verdict.kind)) throw new FileTypeMismatch();
  if (isTooHeavy(verdict.kind, file.sizeBytes)) throw new FileTooHeavy(verdict.kind);
  const { kind, contentType, width, height, patches } = verdict;
  if (kind === "image") return { kind, ...(await storeVariantsOf(ctx, file.id, key)) };
  if (patches.length > 0) await rewrite(ctx, key, file.sizeBytes, mergePatches(patches));
  return { kind, contentType, sizeBytes: file.sizeBytes, width, height, filename: file.filename };
}

/** Runs the pure inspection over the bucket, with a few small reads anywhere in the file. */
async function inspected(ctx: Context, key: string, sizeBytes: number): Promise<InspectionResult> {
  const reading = inspectFile(sizeBytes);
  let step = reading.next();
  while (!step.done) step = reading.next(await bytesAt(ctx, key, step.value));
  return step.value;
}

async function bytesAt(
  ctx: Context,
  key: string,
  { offset, length }: ReadRequest,
): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array();
  const object = await ctx.mediaStore.get(key, { first: offset, last: offset + length - 1 });
  if (!object) throw new Error("the upload's bytes are gone");
  return new Uint8Array(await new Response(object.body).arrayBuffer());
}

/** Re-encodes each variant from the stream of the upload, without metadata. */
async function storeVariantsOf(
  ctx: Context,
  mediaId: string,
  key: string,
): Promise<Omit<StoredFile, "kind">> {
  const stored = await storeVariants(ctx, {
    mediaId,
    purpose: "post",
    source: () => streamOf(ctx, key),
    refusal: () => new FileRefused("broken"),
  });
  return { ...stored, contentType: "image/webp", filename: "" };
}

async function streamOf(ctx: Context, key: string): Promise<ReadableStream> {
  const object = await ctx.mediaStore.get(key);
  if (!object) throw new Error("the upload's bytes are gone");
  return object.body;
}

type VariantSource = {
  mediaId: string;
  purpose: MediaPurpose;
  source: () => Promise<ArrayBuffer | ReadableStream>;
  refusal: () => Error;
};

/**
 * Re-encodes an image in every width of `purpose` and stores each. Returns the size of the widest,
 * for which screens reserve space.
 */
export async function storeVariants(
  ctx: Context,
  { mediaId, purpose, source, refusal }: VariantSource,
): Promise<{ sizeBytes: number; width: number; height: number }> {
  let widest: { sizeBytes: number; width: number; height: number } | null = null;
  for (const { variant, maxWidthPixels } of variantsOf(purpose)) {
    const resized = await resizedOrRefused(ctx, await source(), maxWidthPixels, refusal);
    // No wider than the next variant: it would be the same picture twice.
    if (variant === "1920" && resized.width <= 1280) continue;
    await ctx.mediaStore.put(mediaKey(mediaId, variant), resized.bytes, resized.contentType);
    widest ??= {
      sizeBytes: resized.bytes.byteLength,
      width: resized.width,
      height: resized.height,
    };
  }
  if (!widest) throw new Error(`no variants for ${purpose}`);
  return widest;
}

/** Resizes an image. Refuses one that cannot be decoded, whatever its header says. */
export async function resizedOrRefused(
  ctx: Context,
  source: ArrayBuffer | ReadableStream,
  maxWidthPixels: number,
  refusal: () => Error,
) {
  try {
    return await ctx.mediaStore.resized(source, maxWidthPixels);
  } catch (error) {
    ctx.log("media.image_refused", { error: error instanceof Error ? error.message : "unknown" });
    throw refusal();
  }
}

/**
 * Rewrites the object under the same key, with `patches` applied. It streams part by part, so that
 * memory stays flat, and replaces the object atomically. The result is inspected again.
 */
async function rewrite(
  ctx: Context,
  key: string,
  sizeBytes: number,
  patches: BytePatch[],
): Promise<void> {
  const uploadId = await ctx.mediaStore.beginUpload(key);
  try {
    const parts = [];
    for (let first = 0; first < sizeBytes; first += REWRITE_PART_BYTES) {
      const last = Math.min(first + REWRITE_PART_BYTES, sizeBytes) - 1;
      parts.push(
        await ctx.mediaStore.copyPart(key, uploadId, {
          number: parts.length + 1,
          pieces: sliceFile({ first, last }, patches),
          sizeBytes: last - first + 1,
        }),
      );
    }
    await ctx.mediaStore.finishUpload(key, uploadId, parts);
  } catch (error) {
    await ctx.mediaStore.abandonUpload(key, uploadId);
    throw error;
  }
  const after = await inspected(ctx, key, sizeBytes);
  if (!after.ok || after.patches.length > 0) throw new FileRefused("tracked");
}

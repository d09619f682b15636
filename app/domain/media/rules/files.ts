import { imageHeader, isTooManyPixels } from "#app/domain/media/rules.ts";
import { LARGEST_BYTES } from "./limits.ts";
import type { MediaKind } from "#app/domain/media/schema.ts";
import { inspectMp3, inspectOgg } from "./audio.ts";
import { ascii, latin1, sourceOf } from "./inspection.ts";
import type { FileProblem, Inspection, Source, InspectionResult } from "./inspection.ts";
import { inspectMp4 } from "./mp4.ts";
import { inspectWebm } from "./webm.ts";

/** Room for a camera's metadata before the size of a JPG. */
const IMAGE_HEAD_BYTES = 1024 * 1024;
const MARKUP_HEAD_BYTES = 1024;
/** The farthest from the end that the directory of a ZIP can start. */
const ZIP_TAIL_BYTES = 65_536 + 22;
const PDF_TAIL_BYTES = 2_048;

/**
 * Inspects a file of `sizeBytes` by its bytes alone. Accepts a whole JPG, PNG, GIF, WEBP, AVIF,
 * MP4, WEBM, MP3, M4A, OGG or PDF. Refuses a file that is also something else. Source: issue 4,
 * "Media" and "Bad input".
 */
export function* inspectFile(sizeBytes: number): Inspection<InspectionResult> {
  const source = sourceOf(sizeBytes);
  const verdict = yield* inspectByMagic(source);
  if (!verdict.ok) return verdict;
  return (yield* isSomethingElseToo(source)) ? refused("polyglot") : verdict;
}

function* inspectByMagic(source: Source): Inspection<InspectionResult> {
  const magic = yield* source.read(0, 16);
  if (ascii(magic, 0, 4) === "RIFF" && ascii(magic, 8, 4) === "WAVE") return refused("wav");
  if (ascii(magic, 0, 5) === "%PDF-") return yield* inspectPdf(source);
  if (ascii(magic, 0, 4) === "OggS") return yield* inspectOgg(source);
  if (magic.byteLength >= 4 && magic.getUint32(0) === 0x1a45dfa3) return yield* inspectWebm(source);
  const isAvif = ascii(magic, 4, 8) === "ftypavif" || ascii(magic, 4, 8) === "ftypavis";
  if (ascii(magic, 4, 4) === "ftyp" && !isAvif) return yield* inspectMp4(source);
  const image = yield* inspectImage(source);
  return image ?? (yield* inspectMp3(source));
}

/** Inspects the header only: the image is decoded and re-encoded before anything is stored. */
function* inspectImage(source: Source): Inspection<InspectionResult | null> {
  const head = yield* source.read(0, IMAGE_HEAD_BYTES);
  const header = imageHeader(new Uint8Array(head.buffer, head.byteOffset, head.byteLength));
  if (!header) return null;
  if (header.width === 0 || header.height === 0) return refused("broken");
  if (isTooManyPixels(header)) return refused("too_large");
  return { ok: true, kind: "image", ...header, patches: [] };
}

function* inspectPdf(source: Source): Inspection<InspectionResult> {
  if (!/^%PDF-[12]\.\d/.test(latin1(yield* source.read(0, 8)))) return refused("broken");
  const tail = latin1(
    yield* source.read(Math.max(0, source.sizeBytes - PDF_TAIL_BYTES), PDF_TAIL_BYTES),
  );
  if (!tail.includes("%%EOF")) return refused("cut");
  return {
    ok: true,
    kind: "document",
    contentType: "application/pdf",
    width: 0,
    height: 0,
    patches: [],
  };
}

/**
 * Returns whether the file also contains markup, another PDF, or a ZIP at its end. A lenient reader
 * would open those.
 */
function* isSomethingElseToo(source: Source): Inspection<boolean> {
  const head = latin1(yield* source.read(0, MARKUP_HEAD_BYTES));
  if (
    /<(!doctype\s+html|html|head|body|script|iframe|svg)[\s>/]/i.test(head) ||
    head.indexOf("%PDF-", 1) > 0
  )
    return true;
  const tail = yield* source.read(Math.max(0, source.sizeBytes - ZIP_TAIL_BYTES), ZIP_TAIL_BYTES);
  const text = latin1(tail);
  for (
    let at = text.indexOf("PK\u0005\u0006");
    at >= 0;
    at = text.indexOf("PK\u0005\u0006", at + 1)
  ) {
    if (at + 22 <= tail.byteLength && at + 22 + tail.getUint16(at + 20, true) === tail.byteLength)
      return true;
  }
  return false;
}

function refused(why: FileProblem): InspectionResult {
  return { ok: false, why };
}

const KIND_BY_EXTENSION: Record<string, MediaKind> = {
  ...Object.fromEntries(
    ["jpg", "jpeg", "png", "gif", "webp", "avif"].map((extension) => [extension, "image" as const]),
  ),
  ...Object.fromEntries(["mp4", "m4v", "webm"].map((extension) => [extension, "video" as const])),
  ...Object.fromEntries(
    ["mp3", "m4a", "m4b", "ogg", "oga", "opus"].map((extension) => [extension, "audio" as const]),
  ),
  pdf: "document",
};
const NEVER = new Set([
  "image/svg+xml",
  "image/heic",
  "image/heif",
  "audio/wav",
  "audio/x-wav",
  "audio/wave",
  "audio/vnd.wave",
  "video/quicktime",
  "text/html",
]);

/**
 * Returns the kind that a file declares by its type or else its name; null for unaccepted ones. The
 * bytes are checked later.
 */
export function declaredKind({
  filename,
  contentType,
}: {
  filename: string;
  contentType: string;
}): MediaKind | null {
  const type = contentType.toLowerCase().split(";")[0]?.trim() ?? "";
  if (NEVER.has(type)) return null;
  const [family] = type.split("/");
  if (family === "image" || family === "video" || family === "audio") return family;
  if (type === "application/pdf") return "document";
  return KIND_BY_EXTENSION[filename.split(".").at(-1)?.toLowerCase() ?? ""] ?? null;
}

/** Returns why a file without a declared kind is refused: some types have advice of their own. */
export function undeclaredProblem({
  filename,
  contentType,
}: {
  filename: string;
  contentType: string;
}): FileProblem {
  if (/\.mov$/i.test(filename) || contentType === "video/quicktime") return "quicktime";
  if (/\.wave?$/i.test(filename) || /^audio\/(x-|vnd\.)?wave?$/i.test(contentType)) return "wav";
  return /\.hei[cf]$/i.test(filename) || /^image\/hei[cf]/.test(contentType)
    ? "heic"
    : "unknown_type";
}

/**
 * Returns whether `kind`, found in the bytes, matches the declared kind. Audio alone may come in a
 * video container.
 */
export function matchesDeclaredKind(declared: MediaKind, kind: MediaKind): boolean {
  return (
    declared === kind ||
    (declared === "video" && kind === "audio") ||
    (declared === "audio" && kind === "video")
  );
}

export function isTooHeavy(kind: MediaKind, sizeBytes: number): boolean {
  return sizeBytes > LARGEST_BYTES[kind];
}

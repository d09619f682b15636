import { ascii } from "./inspection.ts";
import type { FileProblem, Inspection, Source, InspectionResult } from "./inspection.ts";
import { childrenOf, elementAt, headerOf } from "./ebml.ts";
import type { Element } from "./ebml.ts";
import { locationPatches } from "./webm-tags.ts";

const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const VIDEO = 0xe0;
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
const VIDEO_TRACK = 1;
const AUDIO_TRACK = 2;
/** A track of camera metadata, which may contain locations. */
const METADATA_TRACK = 33;
/**
 * A recorder that does not know its length leaves the file's end open. The last element is no
 * larger than this.
 */
const TAIL_BYTES = [256 * 1024, 4 * 1024 * 1024];
/** SimpleBlock, BlockGroup, EncryptedBlock, Void, and Cues and Tags behind them. */
const LAST_ELEMENTS = new Set([0xa3, 0xa0, 0xaf, 0xec, 0x1c53bb6b, 0x1254c367]);
const LAST_ELEMENTS_BEGIN = new Set([0xa3, 0xa0, 0xaf, 0xec, 0x1c, 0x12]);

/**
 * Inspects a WEBM, a subset of Matroska (RFC 9559): it must be whole, with tracks and at least one
 * cluster.
 */
export function* inspectWebm(source: Source): Inspection<InspectionResult> {
  const header = yield* elementAt(source, 0);
  if (!header?.end || header.id !== EBML) return refused("broken");
  const docType = (yield* childrenOf(source, header.bodyStart, header.end)).find(
    (child) => child.id === DOC_TYPE,
  );
  if (!docType?.end || ascii(yield* source.read(docType.bodyStart, 4), 0, 4) !== "webm")
    return refused("unknown_type");
  const segment = yield* elementAt(source, header.end);
  if (!segment || segment.id !== SEGMENT) return refused("broken");
  if (segment.end !== null && segment.end > source.sizeBytes) return refused("cut");
  if (segment.end !== null && segment.end < source.sizeBytes) return refused("polyglot");
  const inside = yield* childrenOf(source, segment.bodyStart, source.sizeBytes, CLUSTER);
  if (!inside.some((child) => child.id === CLUSTER)) return refused("cut");
  if (segment.end === null && !(yield* endsWithAnElement(source))) return refused("cut");
  const tracks = inside.find((child) => child.id === TRACKS);
  if (!tracks?.end) return refused("broken");
  const verdict = yield* verdictOfTracks(
    source,
    yield* childrenOf(source, tracks.bodyStart, tracks.end),
  );
  return verdict.ok
    ? { ...verdict, patches: yield* locationPatches(source, segment.bodyStart, inside) }
    : verdict;
}

/** Returns whether an element ends exactly with the file. A truncated file ends within a block. */
function* endsWithAnElement(source: Source): Inspection<boolean> {
  for (const tailBytes of TAIL_BYTES) {
    const tail = yield* source.read(Math.max(0, source.sizeBytes - tailBytes), tailBytes);
    for (let at = tail.byteLength - 2; at >= 0; at -= 1) {
      const element = LAST_ELEMENTS_BEGIN.has(tail.getUint8(at)) ? headerOf(tail, at) : null;
      if (element?.end === tail.byteLength && LAST_ELEMENTS.has(element.id)) return true;
    }
    if (tail.byteLength === source.sizeBytes) break;
  }
  return false;
}

function refused(why: FileProblem): InspectionResult {
  return { ok: false, why };
}

function* verdictOfTracks(source: Source, entries: Element[]): Inspection<InspectionResult> {
  let hasAudio = false;
  let picture: { width: number; height: number } | null = null;
  for (const entry of entries) {
    if (entry.id !== TRACK_ENTRY || entry.end === null) continue;
    const fields = yield* childrenOf(source, entry.bodyStart, entry.end);
    const type = yield* numberOf(
      source,
      fields.find((field) => field.id === TRACK_TYPE),
    );
    if (type === METADATA_TRACK) return refused("tracked");
    if (type === AUDIO_TRACK) hasAudio = true;
    if (type !== VIDEO_TRACK || picture) continue;
    const video = fields.find((field) => field.id === VIDEO);
    const inside = video?.end ? yield* childrenOf(source, video.bodyStart, video.end) : [];
    const width: number = yield* numberOf(
      source,
      inside.find((field) => field.id === PIXEL_WIDTH),
    );
    const height: number = yield* numberOf(
      source,
      inside.find((field) => field.id === PIXEL_HEIGHT),
    );
    picture = { width, height };
  }
  if (picture)
    return { ok: true, kind: "video", contentType: "video/webm", ...picture, patches: [] };
  return hasAudio
    ? { ok: true, kind: "audio", contentType: "audio/webm", width: 0, height: 0, patches: [] }
    : refused("broken");
}

function* numberOf(source: Source, element: Element | undefined): Inspection<number> {
  if (!element?.end) return 0;
  const bytes = yield* source.read(element.bodyStart, Math.min(4, element.end - element.bodyStart));
  let value = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) value = value * 256 + bytes.getUint8(at);
  return value;
}

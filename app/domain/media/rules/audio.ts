import { ascii, latin1 } from "./inspection.ts";
import type { FileProblem, Inspection, Source, InspectionResult } from "./inspection.ts";

/** First bytes of the first packet of an audio stream. */
const CODECS = ["\u0001vorbis", "OpusHead", "\u007fFLAC"];
const OGG_TAIL_BYTES = 64 * 1024 + 512;

/** MPEG-1/2/2.5 layer III, kbit/s by the four bits of the header. */
const BITRATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const BITRATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/**
 * Inspects an MP3: two consecutive frames after an optional ID3 tag. A file shorter than its own
 * byte count is truncated.
 */
export function* inspectMp3(source: Source): Inspection<InspectionResult> {
  const start = yield* afterId3(source);
  const first = yield* source.read(start, 160);
  const length = frameLength(first);
  if (length === null) return refused(start > 0 ? "broken" : "unknown_type");
  const second = yield* source.read(start + length, 4);
  if (second.byteLength >= 4 ? frameLength(second) === null : second.byteLength > 0)
    return refused(start > 0 ? "broken" : "unknown_type");
  // "Xing" and "Info" hold the encoder's own length of the file.
  const note = /Xing|Info/.exec(latin1(first));
  if (note && first.byteLength >= note.index + 8) {
    const flags = first.getUint32(note.index + 4);
    const hasBytes = (flags & 2) !== 0;
    const bytesAt = note.index + 8 + ((flags & 1) !== 0 ? 4 : 0);
    if (
      hasBytes &&
      first.byteLength >= bytesAt + 4 &&
      start + first.getUint32(bytesAt) > source.sizeBytes
    )
      return refused("cut");
  }
  return { ok: true, kind: "audio", contentType: "audio/mpeg", width: 0, height: 0, patches: [] };
}

function* afterId3(source: Source): Inspection<number> {
  const tag = yield* source.read(0, 10);
  if (ascii(tag, 0, 3) !== "ID3" || tag.byteLength < 10) return 0;
  // ID3 sizes leave the highest bit of each byte unused.
  const size =
    (tag.getUint8(6) << 21) | (tag.getUint8(7) << 14) | (tag.getUint8(8) << 7) | tag.getUint8(9);
  const hasFooter = (tag.getUint8(5) & 0x10) !== 0;
  return 10 + size + (hasFooter ? 10 : 0);
}

/** Returns the length of the frame in bytes, or null when this is no frame header. */
function frameLength(view: DataView): number | null {
  if (view.byteLength < 4) return null;
  const header = view.getUint32(0);
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  const sampleRate = SAMPLE_RATES[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1 || sampleRate === undefined)
    return null;
  const isVersion1 = version === 3;
  const kbps = (isVersion1 ? BITRATES_V1 : BITRATES_V2)[(header >>> 12) & 15] ?? 0;
  if (kbps === 0) return null;
  const rate = isVersion1 ? sampleRate : version === 2 ? sampleRate / 2 : sampleRate / 4;
  return Math.floor(((isVersion1 ? 144 : 72) * kbps * 1_000) / rate) + ((header >>> 9) & 1);
}

/** Inspects Vorbis, Opus or FLAC in Ogg pages (RFC 3533). The last page must end with the file. */
export function* inspectOgg(source: Source): Inspection<InspectionResult> {
  const head = yield* source.read(0, 512);
  const packetAt = pageBody(head, 0);
  if (packetAt === null || packetAt >= head.byteLength) return refused("broken");
  const packet = latin1(
    new DataView(head.buffer, head.byteOffset + packetAt, Math.min(8, head.byteLength - packetAt)),
  );
  if (!CODECS.some((codec) => packet.startsWith(codec))) return refused("unknown_type");
  const tailAt = Math.max(0, source.sizeBytes - OGG_TAIL_BYTES);
  const tail = yield* source.read(tailAt, OGG_TAIL_BYTES);
  const text = latin1(tail);
  const last = text.lastIndexOf("OggS");
  const end = last < 0 ? null : pageEnd(tail, last);
  if (end === null || end > tail.byteLength) return refused("cut");
  if (end < tail.byteLength) return refused("polyglot");
  return { ok: true, kind: "audio", contentType: "audio/ogg", width: 0, height: 0, patches: [] };
}

function pageBody(view: DataView, at: number): number | null {
  if (view.byteLength < at + 27 || ascii(view, at, 5) !== "OggS\u0000") return null;
  return at + 27 + view.getUint8(at + 26);
}

function pageEnd(view: DataView, at: number): number | null {
  const bodyAt = pageBody(view, at);
  if (bodyAt === null || bodyAt > view.byteLength) return null;
  let length = 0;
  for (let index = at + 27; index < bodyAt; index += 1) length += view.getUint8(index);
  return bodyAt + length;
}

function refused(why: FileProblem): InspectionResult {
  return { ok: false, why };
}

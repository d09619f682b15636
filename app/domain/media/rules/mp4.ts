import { ascii, latin1, LOCATION_WORD } from "./inspection.ts";
import type { FileProblem, BytePatch, Inspection, Source, InspectionResult } from "./inspection.ts";

type Box = { type: string; start: number; bodyStart: number; end: number };
type Findings = {
  patches: BytePatch[];
  hasVideo: boolean;
  hasAudio: boolean;
  width: number;
  height: number;
};

/** A file with more top-level boxes is a stream of fragments, which nobody exports as a file. */
const BOXES_MAX = 4_000;
/** Longer texts are blanked without being read. */
const READABLE_BYTES = 1024 * 1024;
const PATCH_MAX_BYTES = 4 * 1024 * 1024;
const XMP_ID = [
  0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
];

/** Location atoms of `udta` and `ilst`: QuickTime's, 3GPP's, and those of cameras. */
const LOCATION_ATOMS = new Set(["\u00a9xyz", "loci", "gps ", "GPS ", "GPMF", "XMP_"]);
/** Tracks with the camera's positions, sample by sample. */
const LOCATION_TRACKS = new Set(["gpmd", "camm"]);

const MP4_BRANDS = new Set([
  "isom",
  "iso2",
  "iso3",
  "iso4",
  "iso5",
  "iso6",
  "iso7",
  "iso8",
  "iso9",
  "mp41",
  "mp42",
  "avc1",
  "av01",
  "dash",
  "M4V ",
  "M4VH",
  "M4VP",
  "mmp4",
  "f4v ",
  "MSNV",
  "3gp4",
  "3gp5",
  "3gp6",
]);
const M4A_BRANDS = new Set(["M4A ", "M4B "]);
const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "mif1"]);

/**
 * Inspects an MP4 (ISO/IEC 14496-12): whether it is whole, what it contains, and which locations to
 * blank.
 */
export function* inspectMp4(source: Source): Inspection<InspectionResult> {
  const brand = ascii(yield* source.read(8, 4), 0, 4);
  if (brand === "qt  ") return refused("quicktime");
  if (HEIC_BRANDS.has(brand)) return refused("heic");
  if (!MP4_BRANDS.has(brand) && !M4A_BRANDS.has(brand)) return refused("unknown_type");
  const top = yield* boxesIn(source, 0, source.sizeBytes);
  if (!Array.isArray(top)) return refused(top.why);
  const moov = top.find((box) => box.type === "moov");
  // A recording stopped half-way has no index yet.
  if (!moov || !top.some((box) => box.type === "mdat" || box.type === "moof"))
    return refused("cut");
  const findings: Findings = { patches: [], hasVideo: false, hasAudio: false, width: 0, height: 0 };
  for (const box of top) {
    const problem = yield* visit(source, box, findings);
    if (problem) return refused(problem);
  }
  if (!findings.hasVideo && !findings.hasAudio) return refused("broken");
  if (findings.patches.reduce((sum, patch) => sum + patch.bytes.byteLength, 0) > PATCH_MAX_BYTES)
    return refused("tracked");
  const { patches, width, height } = findings;
  return findings.hasVideo
    ? { ok: true, kind: "video", contentType: "video/mp4", width, height, patches }
    : { ok: true, kind: "audio", contentType: "audio/mp4", width: 0, height: 0, patches };
}

function refused(why: FileProblem): InspectionResult {
  return { ok: false, why };
}

/**
 * Reads the boxes between two positions, or why they cannot be read. A box that ends past the file
 * means that it is truncated.
 */
function* boxesIn(
  source: Source,
  start: number,
  end: number,
): Inspection<Box[] | { why: FileProblem }> {
  const boxes: Box[] = [];
  let at = start;
  while (at < end) {
    if (boxes.length >= BOXES_MAX) return { why: "broken" };
    // Four zero bytes may end a list of user data.
    if (end - at < 8) return start === 0 ? { why: "cut" } : boxes;
    const header = yield* source.read(at, 16);
    const small = header.getUint32(0);
    const isLarge = small === 1;
    if (isLarge && header.byteLength < 16) return { why: "cut" };
    const size = isLarge ? Number(header.getBigUint64(8)) : small === 0 ? end - at : small;
    const bodyStart = at + (isLarge ? 16 : 8);
    if (at + size < bodyStart) return { why: "broken" };
    if (at + size > end) return { why: start === 0 ? "cut" : "broken" };
    boxes.push({ type: ascii(header, 4, 4), start: at, bodyStart, end: at + size });
    at += size;
  }
  return boxes;
}

const CONTAINERS = new Set(["moov", "trak", "mdia", "minf", "stbl", "udta", "moof", "traf"]);

function* visit(source: Source, box: Box, findings: Findings): Inspection<FileProblem | null> {
  if (LOCATION_ATOMS.has(box.type)) findings.patches.push(...blanked(box));
  else if (box.type === "uuid") yield* visitUuid(source, box, findings);
  else if (box.type === "meta") return yield* visitMeta(source, box, findings);
  else if (box.type === "stsd") return yield* visitSampleDescriptions(source, box);
  else if (CONTAINERS.has(box.type)) return yield* visitContainer(source, box, findings);
  return null;
}

function* visitContainer(
  source: Source,
  box: Box,
  findings: Findings,
): Inspection<FileProblem | null> {
  const children = yield* boxesIn(source, box.bodyStart, box.end);
  if (!Array.isArray(children)) return children.why;
  if (box.type === "trak") yield* visitTrack(source, children, findings);
  for (const child of children) {
    const problem = yield* visit(source, child, findings);
    if (problem) return problem;
  }
  return null;
}

/** Reads a track's kind and its picture size, rotated by its matrix. */
function* visitTrack(source: Source, children: Box[], findings: Findings): Inspection<void> {
  const mdia = children.find((child) => child.type === "mdia");
  const inside = mdia ? yield* boxesIn(source, mdia.bodyStart, mdia.end) : [];
  const handlerBox = Array.isArray(inside)
    ? inside.find((child) => child.type === "hdlr")
    : undefined;
  const handler = handlerBox ? ascii(yield* source.read(handlerBox.bodyStart + 8, 4), 0, 4) : "";
  if (handler === "soun") findings.hasAudio = true;
  if (handler !== "vide") return;
  findings.hasVideo = true;
  const tkhd = children.find((child) => child.type === "tkhd");
  if (!tkhd || findings.width > 0) return;
  const header = yield* source.read(tkhd.bodyStart, 96);
  const matrixAt = header.byteLength > 0 && header.getUint8(0) === 1 ? 52 : 40;
  if (header.byteLength < matrixAt + 44) return;
  const isTurned = header.getInt32(matrixAt) === 0 && header.getInt32(matrixAt + 16) === 0;
  const [across, down] = [header.getUint16(matrixAt + 36), header.getUint16(matrixAt + 40)];
  findings.width = isTurned ? down : across;
  findings.height = isTurned ? across : down;
}

/**
 * Reads a `meta` box, which is a full box in MP4 and a plain one in QuickTime. `keys` holds names
 * and `ilst` values, matched by their order.
 */
function* visitMeta(source: Source, meta: Box, findings: Findings): Inspection<FileProblem | null> {
  const peek = yield* source.read(meta.bodyStart, 12);
  const bodyStart = ascii(peek, 4, 4) === "hdlr" ? meta.bodyStart : meta.bodyStart + 4;
  const children = yield* boxesIn(source, bodyStart, meta.end);
  if (!Array.isArray(children)) return children.why;
  const keys = children.find((child) => child.type === "keys");
  const located = keys ? yield* locationKeys(source, keys, findings) : new Set<number>();
  for (const child of children) {
    if (child.type === "xml " || child.type === "bxml") findings.patches.push(...blanked(child));
    if (child.type !== "ilst") continue;
    const values = yield* boxesIn(source, child.bodyStart, child.end);
    if (!Array.isArray(values)) return values.why;
    for (const value of values) {
      const index = new DataView(
        Uint8Array.from(value.type, (letter) => letter.charCodeAt(0)).buffer,
      ).getUint32(0);
      const isNamed =
        value.type === "----" &&
        LOCATION_WORD.test(
          latin1(yield* source.read(value.bodyStart, Math.min(value.end - value.bodyStart, 512))),
        );
      if (located.has(index) || LOCATION_ATOMS.has(value.type) || isNamed)
        findings.patches.push(...blanked(value));
    }
  }
  return null;
}

/**
 * Returns the numbers of location keys, such as `com.apple.quicktime.location.ISO6709`, and blanks
 * their names.
 */
function* locationKeys(source: Source, keys: Box, findings: Findings): Inspection<Set<number>> {
  const located = new Set<number>();
  if (keys.end - keys.bodyStart < 8) return located;
  const count = (yield* source.read(keys.bodyStart + 4, 4)).getUint32(0);
  let at = keys.bodyStart + 8;
  for (let index = 1; index <= Math.min(count, BOXES_MAX) && at + 8 <= keys.end; index += 1) {
    const length = (yield* source.read(at, 8)).getUint32(0);
    if (length < 8 || at + length > keys.end) break;
    const name = yield* source.read(at + 8, length - 8);
    if (LOCATION_WORD.test(latin1(name))) {
      located.add(index);
      findings.patches.push({ offset: at + 8, bytes: new Uint8Array(length - 8).fill(0x20) });
    }
    at += length;
  }
  return located;
}

/** Refuses a file with a location track: its samples cannot be separated without decoding. */
function* visitSampleDescriptions(source: Source, stsd: Box): Inspection<FileProblem | null> {
  const entries = yield* boxesIn(source, stsd.bodyStart + 8, stsd.end);
  if (!Array.isArray(entries)) return entries.why;
  for (const entry of entries) {
    if (LOCATION_TRACKS.has(entry.type)) return "tracked";
    if (entry.type !== "mebx") continue;
    if (
      LOCATION_WORD.test(
        latin1(
          yield* source.read(
            entry.bodyStart,
            Math.min(entry.end - entry.bodyStart, READABLE_BYTES),
          ),
        ),
      )
    )
      return "tracked";
  }
  return null;
}

/** Blanks XMP, where an editor may have stored a location. */
function* visitUuid(source: Source, box: Box, findings: Findings): Inspection<void> {
  const id = yield* source.read(box.bodyStart, 16);
  if (id.byteLength < 16 || XMP_ID.some((byte, index) => id.getUint8(index) !== byte)) return;
  const isReadable = box.end - box.bodyStart <= READABLE_BYTES;
  if (
    !isReadable ||
    LOCATION_WORD.test(latin1(yield* source.read(box.bodyStart + 16, box.end - box.bodyStart - 16)))
  )
    findings.patches.push(...blanked(box));
}

/** Overwrites a box with a free box of the same size, so that nothing after it moves. */
function blanked(box: Box): BytePatch[] {
  const free = new TextEncoder().encode("free");
  return [
    { offset: box.start + 4, bytes: free },
    { offset: box.bodyStart, bytes: new Uint8Array(box.end - box.bodyStart) },
  ];
}

/**
 * Small files of every kind that the product accepts. They are built byte by byte, so that a test
 * can break exactly one thing.
 */
type Bytes = Uint8Array<ArrayBuffer>;

const text = (characters: string): Bytes =>
  Uint8Array.from(characters, (character) => character.charCodeAt(0));
const zeros = (length: number): Bytes => new Uint8Array(length);

export function joined(...parts: (Uint8Array | string | number[])[]): Bytes {
  const bytes = parts.map((part) =>
    typeof part === "string" ? text(part) : Uint8Array.from(part),
  );
  const whole = zeros(bytes.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

export function uint32(...values: number[]): Bytes {
  const bytes = zeros(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}

export function box(type: string, ...body: (Uint8Array | string | number[])[]): Bytes {
  const inside = joined(...body);
  return joined(uint32(inside.byteLength + 8), type, inside);
}

export type Mp4Options = {
  brand?: string;
  handler?: "vide" | "soun";
  width?: number;
  height?: number;
  /** Rotated by 90 degrees, as a phone held upright records. */
  turned?: boolean;
  /** The format of the samples. */
  format?: string;
  /** Boxes in `moov/udta`, in the track's own `udta`, in `moov` and after everything. */
  userData?: Bytes[];
  trackUserData?: Bytes[];
  inMoov?: Bytes[];
  atTheEnd?: Bytes[];
  /** Bytes of the samples. */
  payload?: Bytes;
  /** The index after the samples, as cameras write it. */
  indexLast?: boolean;
};

/** ISO/IEC 14496-12: an index of one track and its samples. */
export function mp4(options: Mp4Options = {}): Bytes {
  const { brand = "isom", handler = "vide", payload = zeros(64), indexLast = false } = options;
  const ftyp = box("ftyp", brand, uint32(512), brand, "mp42");
  const userData = options.userData ? [box("udta", ...options.userData)] : [];
  const moov = box(
    "moov",
    box("mvhd", zeros(100)),
    track(handler, options),
    ...userData,
    ...(options.inMoov ?? []),
  );
  const mdat = box("mdat", payload);
  return joined(ftyp, ...(indexLast ? [mdat, moov] : [moov, mdat]), ...(options.atTheEnd ?? []));
}

function track(
  handler: string,
  { width = 640, height = 360, turned = false, format = "avc1", trackUserData }: Mp4Options,
): Bytes {
  const matrix = turned
    ? uint32(0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000)
    : uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const tkhd = box("tkhd", zeros(40), matrix, uint32(width * 0x10000, height * 0x10000));
  const stsd = box("stsd", uint32(0, 1), box(handler === "soun" ? "mp4a" : format, zeros(32)));
  const mdia = box(
    "mdia",
    box("mdhd", zeros(24)),
    box("hdlr", uint32(0, 0), handler, zeros(13)),
    box("minf", box("stbl", stsd)),
  );
  return box("trak", tkhd, mdia, ...(trackUserData ? [box("udta", ...trackUserData)] : []));
}

/** Apple's metadata: names in `keys`, values in `ilst`. */
export function quicktimeMeta(values: Record<string, string>): Bytes {
  const names = Object.keys(values);
  const keys = box(
    "keys",
    uint32(0, names.length),
    ...names.map((name) => joined(uint32(name.length + 8), "mdta", name)),
  );
  const ilst = box(
    "ilst",
    ...Object.values(values).map((value, index) =>
      box(String.fromCharCode(0, 0, 0, index + 1), box("data", uint32(1, 0), value)),
    ),
  );
  return box("meta", uint32(0), box("hdlr", uint32(0, 0), "mdta", zeros(13)), keys, ilst);
}

/** A location in 3GPP's format: the Praça do Marco Zero. */
export const PLACE = "-08.0631-034.8711/";

/** One audio track: an M4A. */
export const m4a = (options: Mp4Options = {}): Bytes =>
  mp4({ brand: "M4A ", handler: "soun", ...options });

function element(id: number[], ...body: (Uint8Array | string | number[])[]): Bytes {
  const inside = joined(...body);
  return joined(id, [0x08], uint32(inside.byteLength), inside);
}

type WebmOptions = {
  docType?: string;
  live?: boolean;
  width?: number;
  height?: number;
  trackType?: number;
  tags?: Bytes;
  /** Tags after the samples, indexed (`sought`) or not. */ tagsLast?: "sought" | "unsaid";
  blockBytes?: number;
};

/** RFC 9559: one track and one cluster. `live` leaves the sizes unknown, as a recorder does. */
export function webm({
  docType = "webm",
  live = false,
  width = 320,
  height = 180,
  trackType = 1,
  tags,
  tagsLast,
  blockBytes = 40,
}: WebmOptions = {}): Bytes {
  const header = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], docType));
  const video = element(
    [0xe0],
    element([0xb0], [width >> 8, width & 255]),
    element([0xba], [height >> 8, height & 255]),
  );
  const tracks = element(
    [0x16, 0x54, 0xae, 0x6b],
    element(
      [0xae],
      element([0x83], [trackType]),
      element([0x86], "V_VP8"),
      ...(trackType === 1 ? [video] : []),
    ),
  );
  const blocks = joined(
    element([0xe7], [0]),
    ...[0, 40, 80].map((at) => element([0xa3], [0x81, 0, at, 0x80], zeros(blockBytes))),
  );
  const clusterId = [0x1f, 0x43, 0xb6, 0x75];
  const cluster = live ? joined(clusterId, UNKNOWN_SIZE, blocks) : element(clusterId, blocks);
  const all = tags ?? new Uint8Array();
  const seekHead = (position: number) =>
    element(
      [0x11, 0x4d, 0x9b, 0x74],
      element(
        [0x4d, 0xbb],
        element([0x53, 0xab], TAGS_ID),
        element([0x53, 0xac], uint32(position)),
      ),
    );
  const sought =
    tagsLast === "sought"
      ? seekHead(seekHead(0).byteLength + tracks.byteLength + cluster.byteLength)
      : new Uint8Array();
  const inside = joined(
    sought,
    ...(tagsLast ? [] : [all]),
    tracks,
    cluster,
    ...(tagsLast ? [all] : []),
  );
  const segment = [0x18, 0x53, 0x80, 0x67];
  return live
    ? joined(header, segment, UNKNOWN_SIZE, inside)
    : joined(header, element(segment, inside));
}

const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const TAGS_ID = [0x12, 0x54, 0xc3, 0x67];

/** Matroska tags by name, with the checksum that some writers add. */
export function webmTags(values: Record<string, string>): Bytes {
  const simple = (name: string, value: string) =>
    element([0x67, 0xc8], element([0x45, 0xa3], name), element([0x44, 0x87], value));
  return element(
    TAGS_ID,
    element([0xbf], uint32(0x12345678)),
    element(
      [0x73, 0x73],
      element([0x63, 0xc0]),
      ...Object.entries(values).map(([name, value]) => simple(name, value)),
    ),
  );
}

/** A playable MP3 of silence: MPEG-1 layer III, 128 kbit/s, 44,100 Hz, frames of 26 ms. */
export function mp3({ frames = 40, tagBytes = 0 } = {}): Bytes {
  const frame = zeros(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  const tag =
    tagBytes > 0
      ? [joined("ID3", [4, 0, 0, 0, 0, (tagBytes >> 7) & 127, tagBytes & 127], zeros(tagBytes))]
      : [];
  return joined(...tag, ...Array.from({ length: frames }, () => frame));
}

/** RFC 3533: the header page of an Opus stream, and one more page. */
export function ogg({ codec = "OpusHead" } = {}): Bytes {
  const page = (flags: number, body: Bytes) =>
    joined("OggS", [0, flags], zeros(20), [1, body.byteLength], body);
  return joined(page(2, joined(codec, zeros(11))), page(4, zeros(200)));
}

export const pdf = (): Bytes =>
  text(
    "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n",
  );

/** The end record of a ZIP. A file that ends with it is also a ZIP. */
export const zipEnd = (): Bytes => joined("PK", [5, 6], zeros(18));

import sharp from "sharp";
import type { OutputInfo } from "sharp";
import type { MediaStore } from "#app/domain/media/schema.ts";
import { multipartUploads } from "#drizzle/seed/rehearsal/multipart.ts";

/** How many drawings are rendered at a time; each uses a thread or two of its own. */
const AT_ONCE = 4;

type Variant = Awaited<ReturnType<MediaStore["resized"]>>;

export type Drawing = { svg: string | Uint8Array; widths: number[]; isLossless: boolean };

/** Bytes to upload, and every width that the product will ask of them. */
export type Prepared = { bytes: ArrayBuffer; byWidth: Map<number, Variant> };

/** What was rendered, found again by the very bytes that are uploaded. */
const rendered = new WeakMap<ArrayBuffer | Uint8Array, Prepared["byWidth"]>();

/** Small repeated marks compress best without loss; the others are flat papers. */
async function encoded(
  raw: { data: Buffer; info: OutputInfo },
  maxWidth: number,
  isLossless: boolean,
): Promise<Variant> {
  const { width, height, channels } = raw.info;
  const image = sharp(raw.data, { raw: { width, height, channels } });
  const sized = maxWidth < width ? image.resize(maxWidth) : image;
  const { data, info } = await sized
    .webp(
      isLossless && maxWidth >= width ? { lossless: true, effort: 0 } : { quality: 78, effort: 2 },
    )
    .toBuffer({ resolveWithObject: true });
  return {
    bytes: Uint8Array.from(data).buffer,
    contentType: "image/webp",
    width: info.width,
    height: info.height,
  };
}

async function prepare(drawing: Drawing): Promise<Prepared> {
  const raw = await sharp(Buffer.from(drawing.svg))
    .flatten({ background: "#ffffff" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const byWidth = new Map<number, Variant>();
  for (const width of drawing.widths)
    byWidth.set(width, await encoded(raw, width, drawing.isLossless));
  const widest = byWidth.get(Math.max(...drawing.widths));
  if (!widest) throw new Error("a drawing without widths");
  rendered.set(widest.bytes, byWidth);
  return { bytes: widest.bytes, byWidth };
}

/**
 * Gives a function that renders a drawing when its turn comes, a few at a time, while the town is
 * being lived.
 */
export function renderer(): (drawing: Drawing) => Promise<Prepared> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (drawing) => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve));
    running += 1;
    try {
      return await prepare(drawing);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

function nothingElse(): never {
  throw new Error("only drawings of the seed are stored here");
}

/**
 * A media store that keeps in R2, and answers `resized` from what was rendered beforehand. Uploads
 * are assembled in memory, where the product can inspect them before they are put.
 */
export function preparedMediaStore(bucket: R2Bucket): {
  store: MediaStore;
  settled(): Promise<void>;
} {
  // Asking a binding of Miniflare for its method is a round trip; once is enough.
  const put = bucket.put.bind(bucket);
  let puts: Promise<unknown>[] = [];
  const settled = async (): Promise<void> => {
    await Promise.all(puts);
    puts = [];
  };
  const store = async (
    key: string,
    bytes: ArrayBuffer | Uint8Array,
    contentType?: string,
  ): Promise<void> => {
    const storePicture = () =>
      put(key, bytes, {
        httpMetadata: { contentType, cacheControl: "public, max-age=31536000, immutable" },
      });
    // Miniflare closes a connection that waited while the town lived, and the first request after
    // that may fail. A put under the same key may be repeated.
    const stored = storePicture().catch(storePicture);
    // One that fails is told by `settled`, which may come much later: until then it is
    // nobody's, and would end the process.
    stored.catch(() => {});
    puts.push(stored);
    if (puts.length >= 24) await settled();
  };
  return {
    settled,
    store: {
      ...multipartUploads(store),
      delete: async () => {},
      resized: async (source, maxWidth) => {
        const byWidth = source instanceof ReadableStream ? undefined : rendered.get(source);
        if (!byWidth) return nothingElse();
        return byWidth.get(Math.min(maxWidth, Math.max(...byWidth.keys()))) ?? nothingElse();
      },
      copyPart: async () => nothingElse(),
    },
  };
}

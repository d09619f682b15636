import sharp from "sharp";
import type { MediaStore } from "#app/domain/media/schema.ts";

/** How many drawings are rendered at a time; each uses a thread or two of its own. */
const AT_ONCE = 4;

type Rendered = Awaited<ReturnType<MediaStore["resized"]>>;

export type Drawing = { svg: string; widths: number[]; isLossless: boolean };

/** Bytes to upload, and every width that the product will ask of them. */
export type Prepared = { bytes: ArrayBuffer; byWidth: Map<number, Rendered> };

/** Small repeated marks compress best without loss; the others are flat papers. */
async function encoded(raw: { data: Buffer; info: sharp.OutputInfo }, maxWidth: number, isLossless: boolean): Promise<Rendered> {
  const { width, height, channels } = raw.info;
  const image = sharp(raw.data, { raw: { width, height, channels } });
  const sized = maxWidth < width ? image.resize(maxWidth) : image;
  const { data, info } = await sized.webp(isLossless && maxWidth >= width ? { lossless: true, effort: 0 } : { quality: 78, effort: 2 }).toBuffer({ resolveWithObject: true });
  return { bytes: Uint8Array.from(data).buffer, contentType: "image/webp", width: info.width, height: info.height };
}

async function prepare(drawing: Drawing): Promise<Prepared> {
  const raw = await sharp(Buffer.from(drawing.svg)).flatten({ background: "#ffffff" }).raw().toBuffer({ resolveWithObject: true });
  const byWidth = new Map<number, Rendered>();
  for (const width of drawing.widths) byWidth.set(width, await encoded(raw, width, drawing.isLossless));
  const widest = byWidth.get(Math.max(...drawing.widths));
  if (!widest) throw new Error("a drawing without widths");
  return { bytes: widest.bytes, byWidth };
}

/** Renders drawings a few at a time, in their order. */
export async function renderAll(drawings: readonly Drawing[]): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  let next = 0;
  const hand = async (): Promise<void> => {
    for (let index = next++; index < drawings.length; index = next++) {
      const drawing = drawings[index];
      if (drawing) prepared[index] = await prepare(drawing);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
  return prepared;
}

/** A media store that keeps in R2, and answers `resized` from what was rendered beforehand. */
export function preparedMediaStore(bucket: R2Bucket, prepared: Iterable<Prepared>): { store: MediaStore; settled(): Promise<void> } {
  const known = new Map<ArrayBuffer | Uint8Array, Prepared>([...prepared].map((one) => [one.bytes, one]));
  let puts: Promise<unknown>[] = [];
  const settled = async (): Promise<void> => {
    await Promise.all(puts);
    puts = [];
  };
  return {
    settled,
    store: {
      put: async (key, bytes, contentType) => {
        puts.push(bucket.put(key, bytes, { httpMetadata: { contentType } }));
        if (puts.length >= 24) await settled();
      },
      get: async () => null,
      delete: async () => {},
      resized: async (bytes, maxWidth) => {
        const rendered = known.get(bytes)?.byWidth.get(maxWidth);
        if (!rendered) throw new Error("only drawings of the seed are stored here");
        return rendered;
      },
    },
  };
}

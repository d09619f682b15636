import type { FormClient } from "./form-client.ts";
import { box, joined, mp4, PLACE, uint32 } from "./media-files.ts";

/** User data with a video's location. The product rewrites a file with it to erase the location. */
export const LOCATED = box("©xyz", [0, 18, 0x15, 0xc7], PLACE);

const TRIES = 5;

/**
 * Uploads a video of exactly `sizeBytes` in the part size of the product, `atOnce` parts at a time.
 * Returns its id.
 */
export async function sentVideo(
  seller: FormClient,
  sizeBytes: number,
  { userData = [], atOnce = 1 }: { userData?: Uint8Array<ArrayBuffer>[]; atOnce?: number } = {},
): Promise<string> {
  const head = headOf(sizeBytes, userData);
  const opened = await ask<{ id: string; partSizeBytes: number }>(
    seller,
    "/resources/uploads",
    "POST",
    JSON.stringify({ filename: "show.mp4", contentType: "video/mp4", sizeBytes }),
  );
  const body = new Uint8Array(opened.partSizeBytes).fill(0x5a);
  const first = Uint8Array.from(body);
  first.set(head);
  const count = Math.ceil(sizeBytes / opened.partSizeBytes);
  let next = 1;
  const sendNext = async (): Promise<void> => {
    while (next <= count) {
      const number = next;
      next += 1;
      const part = (number === 1 ? first : body).subarray(
        0,
        Math.min(opened.partSizeBytes, sizeBytes - (number - 1) * opened.partSizeBytes),
      );
      await ask(seller, `/resources/uploads/${opened.id}/parts/${number}`, "PUT", part);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return (
    await ask<{ id: string }>(seller, `/resources/uploads/${opened.id}/completion`, "POST", null)
  ).id;
}

/** Downloads a video. Returns the number of bytes received. */
export async function receivedBytes(seller: FormClient, mediaId: string): Promise<number> {
  const answer = await retried(() => seller.get(`/media/${mediaId}/original`));
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.byteLength;
  return bytes;
}

/** The index, and the 64-bit header of the samples that fill the rest of the file. */
function headOf(sizeBytes: number, userData: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = mp4({ userData, payload: new Uint8Array() });
  const index = whole.slice(0, whole.byteLength - 8);
  return joined(index, uint32(1), "mdat", uint32(0, sizeBytes - index.byteLength));
}

async function ask<Answer>(
  seller: FormClient,
  path: string,
  method: string,
  body: string | Uint8Array<ArrayBuffer> | null,
): Promise<Answer> {
  const headers = { Origin: seller.origin, Cookie: seller.cookies() };
  const answer = await retried(() =>
    fetch(new URL(path, seller.origin), { method, body, headers }),
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

/**
 * Retries a request, as a browser does. A busy machine drops idle connections now and then, even in
 * the middle of a part.
 */
async function retried(asking: () => Promise<Response>, tries = TRIES): Promise<Response> {
  try {
    return await asking();
  } catch (error) {
    if (tries === 1) throw error;
    return await retried(asking, tries - 1);
  }
}

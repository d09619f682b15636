/** Larger than any provider's event. */
const BODY_LIMIT_BYTES = 256 * 1024;

/** Builds a plain text response for a program. */
export const textResponse = (status: number, text: string) =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });

/** Reads the body as text; null above the limit, so that no large body is held in memory. */
export async function readLimitedText(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk);
  }
  return await new Blob(chunks as BlobPart[]).text();
}

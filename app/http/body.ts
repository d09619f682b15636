/** The body exceeds its limit. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * Limits the body of `request`, to be read as text, JSON or a form. Reading fails with BodyTooLarge
 * once more than `limitBytes` arrived, since a client's Content-Length cannot be trusted.
 */
export function limitedBody(request: Request, limitBytes: number): Response {
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  if (Number(request.headers.get("Content-Length") ?? 0) > limitBytes)
    return new Response(broken(), { headers });
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) controller.error(new BodyTooLarge());
      else controller.enqueue(chunk);
    },
  });
  return new Response(request.body?.pipeThrough(counted) ?? null, { headers });
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(new BodyTooLarge()) });
}

type Limits = { startBytes: number; endBytes: number; mostBytes: number };

/**
 * Reads a body to its end, and keeps its first and its last bytes. Of a body over `mostBytes` the
 * last ones are not read.
 */
export async function bodyEnds(
  body: ReadableStream<Uint8Array>,
  { startBytes, endBytes, mostBytes }: Limits,
): Promise<{ start: Uint8Array<ArrayBuffer>; end: Uint8Array<ArrayBuffer> }> {
  let [start, end] = [new Uint8Array(), new Uint8Array()];
  let length = 0;
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const room = startBytes - start.byteLength;
    if (room > 0) start = joined(start, read.value.subarray(0, room));
    end = joined(end, read.value.subarray(room)).slice(-endBytes);
    length += read.value.byteLength;
    if (length > mostBytes) {
      await reader.cancel();
      return { start, end: new Uint8Array() };
    }
  }
  return { start, end };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.byteLength + other.byteLength);
  both.set(one);
  both.set(other, one.byteLength);
  return both;
}

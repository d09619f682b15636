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

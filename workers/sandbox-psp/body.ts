import { PspRefusal } from "./refusal.ts";

/** Reads a body as text, whatever its content type; refuses more than `limitBytes`. */
export async function boundedText(request: Request, limitBytes: number): Promise<string> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > limitBytes)
    throw new PspRefusal(413, "body_too_large", "The body is too large.");
  return new TextDecoder().decode(bytes);
}

/** Reads a body as JSON; refuses anything else. */
export async function boundedJson(request: Request, limitBytes: number): Promise<unknown> {
  const text = await boundedText(request, limitBytes);
  try {
    return JSON.parse(text || "{}");
  } catch {
    throw new PspRefusal(400, "body_invalid", "The body is not JSON.");
  }
}

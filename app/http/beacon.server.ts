import type { z } from "zod";
import { limitedBody } from "./body.ts";

/** A beacon has an id and a number. */
const LARGEST_BODY_BYTES = 1024;

/** Reads the form that a page sent as it was left; null for anything else. */
export async function beaconFields<Fields>(
  request: Request,
  schema: z.ZodType<Fields>,
): Promise<Fields | null> {
  const form = await limitedBody(request, LARGEST_BODY_BYTES)
    .formData()
    .catch(() => new FormData());
  return schema.safeParse(Object.fromEntries(form)).data ?? null;
}

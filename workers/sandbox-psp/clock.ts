import { openDatabase } from "#app/db/client.server.ts";
import { eq } from "drizzle-orm";
import { settings } from "./tables.ts";

/**
 * The offset is read by every request of the product. It is cached in memory, stored in PSP_DB, and
 * refreshed by each request here.
 */
let rememberedOffsetMs: number | null = null;

export function rememberOffset(offsetMs: number): number {
  rememberedOffsetMs = offsetMs;
  return offsetMs;
}

/** The product's time: real time plus the stored offset. */
export async function productNow(binding: D1Database): Promise<number> {
  if (rememberedOffsetMs === null) {
    const [row] = await openDatabase(binding)
      .select()
      .from(settings)
      .where(eq(settings.name, "clock_offset_ms"));
    rememberOffset(Number(row?.value ?? "0"));
  }
  return Date.now() + (rememberedOffsetMs ?? 0);
}

import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DEVICES_MAX } from "#app/domain/notifications/rules/devices.ts";
import { inJson } from "./sending.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { pushDevices } from "#drizzle/schema/notifications.ts";

/** A device as its owner sees it. */
export type OwnDevice = {
  id: string;
  label: string;
  createdAt: Instant;
  lastPushedAt: Instant | null;
};

/** Returns the devices to which a person's pushes go, the newest first. */
export async function devicesOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<OwnDevice[]> {
  const { id, label, createdAt, lastPushedAt } = pushDevices;
  return await ctx.db
    .select({ id, label, createdAt, lastPushedAt })
    .from(pushDevices)
    .where(eq(pushDevices.personId, personId))
    .orderBy(desc(createdAt), desc(id))
    .limit(DEVICES_MAX);
}

/** Returns those of the people who have a device for pushes. */
export async function peopleWithDevices(
  ctx: Context,
  { personIds }: { personIds: readonly string[] },
): Promise<Set<string>> {
  if (ctx.push === null || personIds.length === 0) return new Set();
  const rows = await ctx.db
    .selectDistinct({ personId: pushDevices.personId })
    .from(pushDevices)
    .where(inJson(sql`${pushDevices.personId}`, personIds));
  return new Set(rows.map(({ personId }) => personId));
}

export type DeviceRow = typeof pushDevices.$inferSelect;

/** Reads devices, by id. */
export async function devicesById(
  ctx: Context,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, DeviceRow>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select()
    .from(pushDevices)
    .where(inJson(sql`${pushDevices.id}`, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

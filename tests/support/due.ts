import type { Context } from "#app/domain/context.ts";
import { enqueueDueSubscriptions } from "#app/domain/subscriptions/renewals/commands/enqueue.server.ts";
import { testEnv } from "./worker-env.ts";

/** Ids of the subscriptions that the renewals' cron enqueues now. Renews none of them. */
export async function enqueuedIds(
  ctx: Context,
  { limit = 10_000 }: { limit?: number } = {},
): Promise<string[]> {
  const ids: string[] = [];
  const saved = {
    send: async () => {},
    sendAll: async (messages: readonly { id: string }[]) =>
      void ids.push(...messages.map(({ id }) => id)),
  };
  await enqueueDueSubscriptions({ ...ctx, queues: { ...ctx.queues, renewals: saved } }, { limit });
  return ids;
}

type Filled = {
  creatorId: string;
  from?: number;
  count: number;
  /** When the first of them is due. */ at: number;
  /** How much earlier each following one is due. */ stepMs?: number;
};

/**
 * Inserts subscriptions without charges, which only the renewals' cron reads. Their ids are
 * `due-<number>`. The caller deletes them (`deleteDueSubscriptions`).
 */
export async function insertDueSubscriptions({
  creatorId,
  from = 0,
  count,
  at,
  stepMs = 0,
}: Filled): Promise<void> {
  await testEnv.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
     INSERT INTO subscriptions (id, fan_id, creator_id, plan_id, plan_price_id, interval, amount_cents, method, status, started_at, current_period_starts_at, current_period_ends_at, access_until, calendar_at, created_at, updated_at)
     SELECT 'due-' || i, 'fan-' || i, ?, 'plan', 'price', 'monthly', 1990, 'pix', 'active', 1, 1, ?, ?, ? - ? * i, 1, 1 FROM n`,
  )
    .bind(from, from + count, creatorId, at, at, at, stepMs)
    .run();
}

export async function deleteDueSubscriptions(): Promise<void> {
  await testEnv.DB.prepare("DELETE FROM subscriptions WHERE id LIKE 'due-%'").run();
}

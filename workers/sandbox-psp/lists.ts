import { and, asc, eq, gt, gte, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { z } from "zod";
import {
  chargeAnswer,
  disputeAnswer,
  recurringPixAnswer,
  refundAnswer,
  transferAnswer,
} from "./answers.ts";
import type { Psp } from "./psp.ts";
import { charges, disputes, recurringPix, refunds, transfers } from "./tables.ts";

const LIST_LIMIT = 100;

type Listed =
  | typeof charges
  | typeof transfers
  | typeof refunds
  | typeof recurringPix
  | typeof disputes;

const listQuery = z.object({
  reference: z.string().max(64).optional(),
  since: z.coerce.number().int().min(0).default(0),
  after: z.string().max(80).default(""),
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT).default(LIST_LIMIT),
});

export async function listCharges(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { where, limit } = asked(charges, params);
  const rows = await psp.db
    .select()
    .from(charges)
    .where(where)
    .orderBy(asc(charges.createdAt), asc(charges.id))
    .limit(limit + 1);
  return listed(rows, limit, (row) => chargeAnswer(row, psp.env.SANDBOX_PUBLIC_URL));
}

export async function listTransfers(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { where, limit } = asked(transfers, params);
  return listed(
    await psp.db
      .select()
      .from(transfers)
      .where(where)
      .orderBy(asc(transfers.createdAt), asc(transfers.id))
      .limit(limit + 1),
    limit,
    transferAnswer,
  );
}

export async function listRefunds(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { where, limit } = asked(refunds, params);
  return listed(
    await psp.db
      .select()
      .from(refunds)
      .where(where)
      .orderBy(asc(refunds.createdAt), asc(refunds.id))
      .limit(limit + 1),
    limit,
    refundAnswer,
  );
}

export async function listRecurringPix(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { where, limit } = asked(recurringPix, params);
  const rows = await psp.db
    .select()
    .from(recurringPix)
    .where(where)
    .orderBy(asc(recurringPix.createdAt), asc(recurringPix.id))
    .limit(limit + 1);
  return listed(rows, limit, recurringPixAnswer);
}

export async function listDisputes(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { where, limit } = asked(disputes, params);
  return listed(
    await psp.db
      .select()
      .from(disputes)
      .where(where)
      .orderBy(asc(disputes.createdAt), asc(disputes.id))
      .limit(limit + 1),
    limit,
    disputeAnswer,
  );
}

/**
 * Parses list parameters. Pages go forward by (created_at, id); `since` and `after` are those of
 * the last row seen.
 */
function asked(table: Listed, params: URLSearchParams): { where: SQL | undefined; limit: number } {
  const { reference, since, after, limit } = listQuery.parse(Object.fromEntries(params));
  if (reference !== undefined && "reference" in table)
    return { where: eq(table.reference, reference), limit };
  if (after === "") return { where: gte(table.createdAt, since), limit };
  return {
    where: or(gt(table.createdAt, since), and(eq(table.createdAt, since), gt(table.id, after))),
    limit,
  };
}

function listed<Row>(rows: Row[], limit: number, answer: (row: Row) => unknown): Response {
  return Response.json({
    object: "list",
    data: rows.slice(0, limit).map(answer),
    has_more: rows.length > limit,
  });
}

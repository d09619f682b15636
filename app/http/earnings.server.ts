import type { RouterContextProvider } from "react-router";
import { feeOfMonth } from "#app/domain/fiscal/queries.server.ts";
import { documentsOf } from "#app/domain/documents/queries.server.ts";
import { earningsOf } from "#app/domain/ledger/queries/earnings.server.ts";
import { askedYear } from "#app/domain/ledger/rules/earnings.ts";
import { askedMonth, boundsOf, monthOf } from "#app/domain/ledger/rules/months.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import type { Instant } from "#app/domain/time.ts";
import { actorWhoMay } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";

type Routed = { request: Request; context: Readonly<RouterContextProvider> };
/** What one received, and who they are. */
type Received = Awaited<ReturnType<typeof sourceOf>>;

/** The year that a request asks for, and what the page that one acts for received in it. */
export async function askedYearly(
  routed: Routed,
): Promise<{ year: number; presentYear: number; source: Received }> {
  const now = routed.context.get(domainContext).now();
  const presentYear = Number(monthOf(now).slice(0, 4));
  const year = askedYear(new URL(routed.request.url).searchParams.get("year"), presentYear);
  return {
    year,
    presentYear,
    source: await sourceOf(
      routed,
      { from: boundsOf(`${year}-01`).from, until: boundsOf(`${year}-12`).until },
      "month",
    ),
  };
}

/**
 * The month that a request asks for, and what happened in it to the money of the page that one acts
 * for.
 */
export async function askedMonthly(routed: Routed): Promise<{
  month: Month;
  presentMonth: Month;
  source: Received;
  invoice: Awaited<ReturnType<typeof feeOfMonth>>;
}> {
  const ctx = routed.context.get(domainContext);
  const now = ctx.now();
  const month = askedMonth(new URL(routed.request.url).searchParams.get("month"), now);
  const creatorId = actorWhoMay(routed, "money:see").space.personId;
  const [source, invoice] = await Promise.all([
    sourceOf(routed, boundsOf(month), "day"),
    feeOfMonth(ctx, { month, creatorId }),
  ]);
  return { month, presentMonth: monthOf(now), source, invoice };
}

async function sourceOf(
  routed: Routed,
  range: { from: Instant; until: Instant },
  by: "day" | "month",
) {
  const { space } = actorWhoMay(routed, "money:see");
  const ctx = routed.context.get(domainContext);
  const [earnings, papers] = await Promise.all([
    earningsOf(ctx, { creatorId: space.personId, ...range, by }),
    documentsOf(ctx, { personId: space.personId }),
  ]);
  const document = papers && {
    name: papers.sellerName,
    taxKind: papers.taxKind,
    taxId: papers.taxId,
  };
  return {
    owner: { name: space.name, username: space.username, document },
    ...earnings,
    now: ctx.now(),
    company: ctx.settings.company,
  };
}

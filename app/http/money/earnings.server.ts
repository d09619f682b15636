import type { RouterContextProvider } from "react-router";
import { creatorMonthFee } from "#app/domain/fiscal/queries.server.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { withMaskedCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { creatorEarnings } from "#app/domain/ledger/statements/queries/earnings.server.ts";
import { parseReportYear } from "#app/domain/ledger/statements/rules/earnings.ts";
import { parseReportMonth, monthBounds, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { Instant } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";

type EarningsRouteContext = { request: Request; context: Readonly<RouterContextProvider> };
/** The earnings received, and the seller. */
type Received = Awaited<ReturnType<typeof sourceOf>>;

/** Loads the requested year of a page's earnings; the page is the actor's. */
export async function loadYearlyEarnings(
  routed: EarningsRouteContext,
): Promise<{ year: number; presentYear: number; source: Received }> {
  const now = routed.context.get(domainContext).now();
  const presentYear = Number(monthOf(now).slice(0, 4));
  const year = parseReportYear(new URL(routed.request.url).searchParams.get("year"), presentYear);
  return {
    year,
    presentYear,
    source: await sourceOf(
      routed,
      { from: monthBounds(`${year}-01`).from, until: monthBounds(`${year}-12`).until },
      "month",
    ),
  };
}

/** Loads the requested month of the money movements of the actor's page. */
export async function loadMonthlyEarnings(routed: EarningsRouteContext): Promise<{
  month: Month;
  presentMonth: Month;
  source: Received;
  invoice: Awaited<ReturnType<typeof creatorMonthFee>>;
}> {
  const ctx = routed.context.get(domainContext);
  const now = ctx.now();
  const month = parseReportMonth(new URL(routed.request.url).searchParams.get("month"), now);
  const creatorId = requireActor(routed, "money:see").space.personId;
  const [source, invoice] = await Promise.all([
    sourceOf(routed, monthBounds(month), "day"),
    creatorMonthFee(ctx, { month, creatorId }),
  ]);
  return { month, presentMonth: monthOf(now), source, invoice };
}

async function sourceOf(
  routed: EarningsRouteContext,
  range: { from: Instant; until: Instant },
  by: "day" | "month",
) {
  const { space, isOwn } = requireActor(routed, "money:see");
  const ctx = routed.context.get(domainContext);
  const [earnings, documents] = await Promise.all([
    creatorEarnings(ctx, { creatorId: space.personId, ...range, by }),
    documentsOfPerson(ctx, { personId: space.personId }),
  ]);
  const document = documents && {
    name: documents.sellerName,
    taxKind: documents.taxKind,
    taxId: documents.taxId,
  };
  return {
    owner: {
      name: space.name,
      username: space.username,
      // A team reads the money of the page, not the owner's CPF.
      document: document && !isOwn ? withMaskedCpf(document) : document,
    },
    ...earnings,
    now: ctx.now(),
    company: ctx.settings.company,
  };
}

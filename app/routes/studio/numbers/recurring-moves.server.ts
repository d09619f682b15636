import type { RouterContextProvider } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { CHURN_DAYS, recurringKinds } from "#app/domain/analytics/recurring/rules.ts";
import type { RecurringKind } from "#app/domain/analytics/recurring/rules.ts";
import { monthBounds, parseMonth } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type AskedMoves = {
  ctx: Context;
  creatorId: string;
  kind: RecurringKind;
  /** Null for the last 30 days. */
  month: Month | null;
  from: DayNumber;
  until: DayNumber;
};

/**
 * The list of changes that an address asks for: of a month, or of the days over which the churn is
 * measured. For who may see the page's money and its subscribers; 404 for a kind that is none.
 */
export function askedMoves(route: {
  request: Request;
  context: Readonly<RouterContextProvider>;
  params: { kind: string };
}): AskedMoves {
  const { space } = requireActor(route, "money:see");
  requireActor(route, "plans:edit");
  const kind = foundOr404(
    recurringKinds.find((one) => one === route.params.kind) ?? null,
    "Não encontramos esta lista.",
  );
  const ctx = route.context.get(domainContext);
  const month = parseMonth(new URL(route.request.url).searchParams.get("month") ?? undefined);
  const today = dayNumberOf(ctx.now());
  return {
    ctx,
    creatorId: space.personId,
    kind,
    month,
    ...(month === null ? { from: today - CHURN_DAYS, until: today } : daysOf(month)),
  };
}

function daysOf(month: Month): { from: DayNumber; until: DayNumber } {
  const { from, until } = monthBounds(month);
  return { from: dayNumberOf(from), until: dayNumberOf(until - 1) };
}

import { eventMomentText } from "#app/domain/events/times/rules.ts";
import type { Instant } from "#app/domain/time.ts";

type Sale = { saleStartsAt: Instant | null; saleEndsAt: Instant | null };

/** Says when a kind of ticket is sold, in the zone of its event. */
export function kindSaleText({ saleStartsAt, saleEndsAt }: Sale, zone: string, now: Instant) {
  if (saleEndsAt !== null && saleEndsAt <= now) return "A venda terminou.";
  const until = saleEndsAt === null ? "" : ` até ${eventMomentText(saleEndsAt, zone)}`;
  if (saleStartsAt !== null && saleStartsAt > now)
    return `À venda a partir de ${eventMomentText(saleStartsAt, zone)}${until}.`;
  return `À venda${until}.`;
}

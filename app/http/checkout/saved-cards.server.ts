import { cardLabel } from "#app/domain/billing/rules/cards.ts";
import { payableSavedCards } from "#app/domain/billing/details/queries.server.ts";
import type { Context } from "#app/domain/context.ts";

/** The saved cards that a payment page offers, if their provider can charge them. */
export async function offeredCards(
  ctx: Context,
  { personId }: { personId: string },
): Promise<{ id: string; label: string; isDefault: boolean }[]> {
  return (await payableSavedCards(ctx, { personId })).map((card) => ({
    id: card.id,
    label: cardLabel(card),
    isDefault: card.isDefault,
  }));
}

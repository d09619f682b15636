import { methodLabel } from "./charge-labels.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { cardLabel } from "#app/domain/billing/rules/cards.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

type Paid = { method: PaymentMethod; recurringPixId: string | null; savedMethodId: string | null };

/** Payment method of a subscription; for a saved card, which one. */
export function paidByLabel(
  { method, recurringPixId, savedMethodId }: Paid,
  cards: readonly ({ id: string } & Parameters<typeof cardLabel>[0])[],
): string {
  const card = renewsBySavedMethod(method)
    ? cards.find(({ id }) => id === savedMethodId)
    : undefined;
  return card ? cardLabel(card) : methodLabel(method, recurringPixId);
}

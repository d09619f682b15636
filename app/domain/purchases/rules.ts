import { quoted } from "#app/domain/text.ts";
import { chargeStep, isRefundable } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PurchaseRefundReason, Purchase, SingleKind } from "./schema.ts";

/** Path where the purchased content is seen. */
export function purchasedContentPath(kind: SingleKind, targetId: string): string {
  if (kind === "message") return `/messages/paid/${targetId}`;
  return kind === "event" ? `/events/orders/${targetId}` : `/${kind}/${targetId}`;
}

const SOLD_FILES = {
  image: ["foto", "fotos"],
  video: ["vídeo", "vídeos"],
  audio: ["áudio", "áudios"],
  document: ["PDF", "PDFs"],
} as const;

export type SoldFileKind = keyof typeof SOLD_FILES;

/** The title of a sold message by its files: "Mensagem com foto", "Mensagem com 3 arquivos". */
export function soldMessageTitle(kinds: readonly SoldFileKind[]): string {
  const [first = "document"] = kinds;
  const [one, many] = SOLD_FILES[first];
  if (kinds.length === 1) return `Mensagem com ${one}`;
  const isOneKind = kinds.every((kind) => kind === first);
  return `Mensagem com ${kinds.length} ${isOneKind ? many : "arquivos"}`;
}

const TITLED = { post: "Publicação", collection: "Coleção", event: "Evento" } as const;

/** The title of an order of tickets: "Roda de rabeca, 2 × Inteira". */
export const ticketsTitle = ({
  title,
  kindName,
  quantity,
}: {
  title: string;
  kindName: string;
  quantity: number;
}): string => `${title}, ${quantity} × ${kindName}`;

/** Providers refuse longer descriptions. */
const TITLE_SHOWN = 90;

/**
 * Builds the description on the charge, the receipt and the bank's statement: "Publicação “Como
 * afino a rabeca”, de Ana Lira". Quotes inside the title become single. A message has no title of
 * its own: "Mensagem com foto, de Ana Lira".
 */
export function singleDescription({
  kind,
  title,
  creatorName,
}: {
  kind: SingleKind;
  title: string;
  creatorName: string;
}): string {
  const letters = Array.from(title);
  const shown =
    letters.length > TITLE_SHOWN ? `${letters.slice(0, TITLE_SHOWN).join("").trimEnd()}…` : title;
  if (kind === "message") return `${shown}, de ${creatorName}`;
  return `${TITLED[kind]} ${quoted(shown)}, de ${creatorName}`;
}

export type PurchaseDecision =
  | { kind: "nothing" }
  /** `endsAttempt`: it was not paid, and another checkout may start. */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsAttempt: boolean;
    }
  | { kind: "buy" }
  | { kind: "give_back"; reason: PurchaseRefundReason; endsAttempt: boolean };

export type PurchaseDecisionInput = {
  charge: { status: ChargeStatus; amountCents: Cents; expiresAt: Instant | null };
  /** The provider's charge now; null if the provider does not know it. */
  providerCharge: ProviderCharge | null;
  purchase: Pick<Purchase, "boughtAt" | "endedAt">;
  /** The person holds it already, by another purchase or by a bought collection. */
  isHeldAlready: boolean;
  /** The seller was banned or is leaving, or a block is between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  /** Deleted, unpublished, or held by moderation. */
  isGone: boolean;
  /** It still has a price, whatever the price is now. */
  isSold: boolean;
  now: Instant;
};

/**
 * Decides a charge and its purchase by the provider's answer. An offer is valid while its charge is
 * open, even if the price changed or was withdrawn. A late payment buys only what is still sold.
 * Pure: equal inputs decide alike, and the database applies one decision. Source: domain rules,
 * "Access to a post" and "Charges"; CDC art. 30.
 */
export function decidePurchase(input: PurchaseDecisionInput): PurchaseDecision {
  const { charge, purchase, now } = input;
  const step = chargeStep(charge, input.providerCharge, now);
  const isAttempt = purchase.boughtAt === null && purchase.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(input, step.providerCharge);
  return reason === null ? { kind: "buy" } : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  {
    charge,
    purchase,
    isHeldAlready,
    isShut,
    isPayerLeaving,
    isGone,
    isSold,
    now,
  }: PurchaseDecisionInput,
  providerCharge: ProviderCharge,
): PurchaseRefundReason | null {
  if (providerCharge.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut || isGone) return "not_sold";
  if (isPayerLeaving) return "payer_leaving";
  if (isHeldAlready) return "already_bought";
  const isLate = purchase.endedAt !== null || (charge.expiresAt !== null && charge.expiresAt < now);
  return isLate && !isSold ? "not_sold" : null;
}

/** What decides a cooling-off refund. `startsAt`: when the event of bought tickets begins. */
export type CoolingOffPurchase = Pick<Purchase, "boughtAt" | "endedAt"> & {
  startsAt?: Instant | null;
};

/**
 * Returns the end of the cooling-off period (the midnight after its last day, or the start of the
 * event); null for an unpaid purchase.
 */
export function coolingOffUntil({
  boughtAt,
  startsAt = null,
}: Omit<CoolingOffPurchase, "endedAt">): Instant | null {
  if (boughtAt === null) return null;
  const until = coolingOffEndsAt(boughtAt);
  return startsAt === null ? until : Math.min(until, startsAt);
}

export type CoolingOffRefundProblem = "over" | "too_late" | "disputed";

/** Returns why a purchase cannot have a cooling-off refund at `now`, or null. */
export function coolingOffRefundProblem(
  purchase: CoolingOffPurchase,
  charge: { status: ChargeStatus },
  now: Instant,
): CoolingOffRefundProblem | null {
  const until = coolingOffUntil(purchase);
  if (until === null || purchase.endedAt !== null) return "over";
  if (now >= until) return "too_late";
  return isRefundable(charge.status) ? null : "disputed";
}

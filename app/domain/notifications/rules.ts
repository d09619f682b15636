import { formatMoney } from "#app/domain/money.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { automaticTold, isOfAutomatic } from "./rules/automatic.ts";
import { compTold, isOfComp } from "./rules/comps.ts";
import { isOfModeration, moderationTold } from "./rules/moderation.ts";
import { chargeTold } from "./rules/charges.ts";
import { isOfLedger, ledgerTold } from "./rules/ledger.ts";
import { fullPriceTold } from "./rules/coupons.ts";
import { giftEndedTold, giftTold, isOfGift } from "./rules/gifts.ts";
import { deletionTold, isOfDeletion } from "./rules/deletion.ts";
import { documentsTold, isOfDocuments } from "./rules/documents.ts";
import { disputeTold, isOfDispute } from "./rules/disputes.ts";
import { payoutTold } from "./rules/payouts.ts";
import { isOfPlanChange, planChangeTold } from "./rules/plan-changes.ts";
import { isOfPrice, priceTold } from "./rules/price-asks.ts";
import { isOfSubscriptionLife, subscriptionLifeTold } from "./rules/subscriptions.ts";
import { teamTold } from "./rules/teams.ts";
import { isOfTrial, trialTold } from "./rules/trials.ts";
import { calledOffTold, upcomingTold } from "./rules/upcoming.ts";
import { isOfVacation, vacationTold } from "./rules/vacations.ts";
import { welcomeWords } from "./rules/welcome.ts";
import type { Told } from "./schema.ts";

/**
 * Whom an outbox message is told to, and in which words: a notification each, and a mail where
 * `subject` is given. Pure: the message carries all that is shown. A new post is told to many, page
 * after page, by `deliverMessage`.
 */
export function toldTo(message: OutboxMessage): Told[] {
  switch (message.type) {
    case "subscription.started":
      return startedTold(message);
    case "purchase.bought":
      return boughtTold(message);
    case "tip.given":
      return tipTold(message);
    case "subscription.renewed":
      return [renewedTold(message)];
    case "subscription.full_price":
      return [fullPriceTold(message)];
    case "subscription.called_off":
      return calledOffTold(message);
    case "subscription.ended":
      if (message.isGift) return message.isFollowed ? [] : [giftEndedTold(message)];
      return [
        {
          personId: message.fanId,
          kind: message.type,
          body: `Sua assinatura ${message.planName}, de ${message.creatorName}, terminou.`,
          path: `/space/${message.creatorUsername}`,
          mail: {
            subject: `Sua assinatura de ${message.creatorName} terminou`,
            body: `O plano ${message.planName} não renovou e o acesso terminou. Para voltar, é só assinar de novo.`,
          },
        },
      ];
    case "charge.to_confirm":
    case "charge.refunded":
    case "charge.refund_refused":
    case "refund.key_asked":
    case "refund.transferred":
      return [chargeTold(message)];
    case "payout.paid":
    case "payout.failed":
    case "payout.returned":
    case "payout.held":
    case "payouts.held":
    case "payouts.released":
    case "payout.canceled":
    case "payout.ended":
    case "payout.approval_asked":
    case "withdrawal.changed":
    case "fee.changed":
    case "debt.paid":
      return payoutTold(message);
    case "post.commented":
    case "comment.replied":
    case "comment.mentioned":
      return [conversationTold(message)];
    default:
      if (isForAudience(message)) return [];
      if (isOfDocuments(message)) return documentsTold(message);
      if (isOfLedger(message)) return ledgerTold(message);
      if (isOfTrial(message)) return trialTold(message);
      if (isOfAutomatic(message)) return [automaticTold(message)];
      if (isOfComp(message)) return [compTold(message)];
      if (isOfGift(message)) return giftTold(message);
      if (isOfDispute(message)) return [disputeTold(message)];
      if (isOfPlanChange(message)) return planChangeTold(message);
      if (isOfPrice(message)) return [priceTold(message)];
      if (isOfDeletion(message)) return [deletionTold(message)];
      if (isOfVacation(message)) return [vacationTold(message)];
      if (isOfSubscriptionLife(message)) return [subscriptionLifeTold(message)];
      return isOfModeration(message) ? [moderationTold(message)] : teamTold(message);
  }
}

/** What is told to followers and subscribers, page after page, rather than to a few people by name. */
export type AudienceMessage = Extract<OutboxMessage, { type: "post.published" | "post.opened" }>;

export function isForAudience(message: OutboxMessage): message is AudienceMessage {
  return message.type === "post.published" || message.type === "post.opened";
}

type Conversation = Extract<
  OutboxMessage,
  { type: "post.commented" | "comment.replied" | "comment.mentioned" }
>;

function conversationTold(message: Conversation): Told {
  const did = {
    "post.commented": "comentou",
    "comment.replied": "respondeu ao seu comentário",
    "comment.mentioned": "mencionou você",
  }[message.type];
  return {
    personId: message.type === "post.commented" ? message.authorId : message.personId,
    kind: message.type,
    body: `${message.commenterName} ${did} em ${message.postTitle}.`,
    path: `/post/${message.postId}/comments/${message.commentId}`,
    mail: null,
  };
}

function startedTold(message: Extract<OutboxMessage, { type: "subscription.started" }>): Told[] {
  if (message.beginsAt !== undefined)
    return upcomingTold({ ...message, beginsAt: message.beginsAt });
  return [
    {
      personId: message.fanId,
      kind: message.type,
      body: [
        `Você assinou ${message.planName}, de ${message.creatorName}.`,
        ...welcomeWords(message),
      ].join(" "),
      path: `/space/${message.creatorUsername}`,
      mail: {
        subject: `Sua assinatura de ${message.creatorName} começou`,
        body: [
          `Recebemos ${formatMoney(message.amountCents)} pelo plano ${message.planName}.`,
          ...welcomeWords(message),
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.",
        ].join("\n\n"),
      },
    },
    {
      personId: message.creatorId,
      kind: message.type,
      body: `${message.fanName} assinou ${message.planName}.`,
      path: "/analytics",
      mail: null,
    },
  ];
}

function renewedTold(message: Extract<OutboxMessage, { type: "subscription.renewed" }>): Told {
  return {
    personId: message.fanId,
    kind: message.type,
    body: `Sua assinatura de ${message.creatorName} renovou por ${formatMoney(message.amountCents)}.`,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    mail: null,
  };
}

function boughtTold(message: Extract<OutboxMessage, { type: "purchase.bought" }>): Told[] {
  return [
    {
      personId: message.buyerId,
      kind: message.type,
      body: `Você comprou “${message.title}”, de ${message.creatorName}.`,
      path: `/${message.kind}/${message.targetId}`,
      mail: {
        subject: `Sua compra de ${message.creatorName}`,
        body: [
          `Recebemos ${formatMoney(message.amountCents)} por “${message.title}”, de ${message.creatorName}.`,
          "É um pagamento só: não renova, e o que você comprou continua seu.",
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo: é em Ajustes, Compras.",
        ].join("\n\n"),
      },
    },
    {
      personId: message.creatorId,
      kind: message.type,
      body: `${message.buyerName} comprou “${message.title}” por ${formatMoney(message.amountCents)}.`,
      path: `/settings/transactions/${message.chargeId}`,
      mail: null,
    },
  ];
}

function tipTold({
  type: kind,
  chargeId,
  ...tip
}: Extract<OutboxMessage, { type: "tip.given" }>): Told[] {
  const path = `/settings/transactions/${chargeId}`;
  const amount = formatMoney(tip.amountCents);
  return [
    {
      personId: tip.payerId,
      kind,
      body: `Seu apoio de ${amount} chegou a ${tip.creatorName}.`,
      path,
      mail: {
        subject: `Seu apoio a ${tip.creatorName}`,
        body: [
          `Recebemos ${amount} para ${tip.creatorName}.`,
          "É um pagamento só: nada renova.",
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo: é em Ajustes, Extrato.",
        ].join("\n\n"),
      },
    },
    {
      personId: tip.creatorId,
      kind,
      body: `${tip.payerName} apoiou você com ${amount}${tip.message ? `: “${tip.message}”` : "."}`,
      path,
      mail: {
        subject: `${tip.payerName} apoiou você com ${amount}`,
        body: [
          `${tip.payerName} apoiou você com ${amount}${tip.message ? `: “${tip.message}”` : "."}`,
          "Veja quanto fica com você e quando fica livre em Ajustes, Extrato.",
        ].join("\n\n"),
      },
    },
  ];
}

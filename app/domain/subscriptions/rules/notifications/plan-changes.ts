import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";

type Changed = Extract<PlanChangeMessage, { type: "subscription.plan_changed" }>;

/**
 * Notifications about plan changes: the fan reads the new price and its start, and the creator the
 * old and the new plan.
 */
export const planChangeNotifications: NotificationRenderers<PlanChangeMessage> = {
  "subscription.plan_changed": draftNotifications,
  "subscription.plan_change_scheduled": draftNotifications,
  "subscription.plan_change_dropped": draftNotifications,
};

function draftNotifications(message: PlanChangeMessage): NotificationDraft[] {
  const { subscriptionId, fanId: personId, type: kind, creatorName } = message;
  const draft = { personId, kind, path: `/settings/subscriptions/${subscriptionId}` };
  switch (message.type) {
    case "subscription.plan_changed":
      return [
        { ...draft, ...changedText(message) },
        {
          personId: message.creatorId,
          kind,
          about: "subscriber" as const,
          body: creatorText(message),
          path: "/analytics",
          mail: null,
        },
      ];
    case "subscription.plan_change_scheduled": {
      const body = `A partir de ${formatDay(message.beginsAt)}, a sua assinatura de ${creatorName} passa para ${message.toPlanName}: ${message.toPrice}.`;
      const first = `Até lá você continua em ${message.fromPlanName}, e nada é cobrado agora. A próxima cobrança, em ${formatDay(message.beginsAt)}, é de ${formatMoney(message.nextCents)}.`;
      return [
        {
          ...draft,
          body,
          mail: {
            subject: `Mudança de plano marcada para ${formatDay(message.beginsAt)}`,
            body: [
              body,
              first,
              `Mudou de ideia, ou não foi você? Desfaça aqui: ${message.undoUrl}`,
            ].join("\n\n"),
          },
        },
      ];
    }
    case "subscription.plan_change_dropped": {
      const why = message.isFull ? "está lotado" : "saiu de venda";
      const body = `O plano ${message.toPlanName}, de ${creatorName}, ${why}: a sua assinatura continua em ${message.planName}, por ${message.price}.`;
      return [
        {
          ...draft,
          body,
          mail: {
            subject: `Sua assinatura de ${creatorName} continua em ${message.planName}`,
            body: `${body} Para escolher outro plano, é em Ajustes, Assinaturas.`,
          },
        },
      ];
    }
  }
}

function changedText({
  creatorName,
  fromPlanName,
  toPlanName,
  toPrice,
  paidCents,
  isBack,
}: Changed): Pick<NotificationDraft, "body" | "mail"> {
  if (isBack) {
    const body = `A sua assinatura de ${creatorName} voltou para ${toPlanName}: ${toPrice}.`;
    return {
      body,
      mail: {
        subject: `Sua assinatura de ${creatorName} voltou para ${toPlanName}`,
        body: `${body} A diferença que você pagou volta para você.`,
      },
    };
  }
  const body = `Você mudou de ${fromPlanName} para ${toPlanName}, de ${creatorName}: ${toPrice}.`;
  const paid =
    paidCents === 0
      ? []
      : [
          `Recebemos ${formatMoney(paidCents)} pela diferença. Nos 7 primeiros dias, se mudar de ideia, devolvemos essa diferença e a assinatura volta para ${fromPlanName}.`,
        ];
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} agora é ${toPlanName}`,
      body: [body, ...paid].join("\n\n"),
    },
  };
}

const creatorText = ({ fanName, fromPlanName, toPlanName, isBack }: Changed): string =>
  isBack
    ? `${fanName} voltou do plano ${fromPlanName} para o ${toPlanName}.`
    : fromPlanName === toPlanName
      ? `${fanName} mudou de quanto em quanto tempo paga ${toPlanName}.`
      : `${fanName} mudou do plano ${fromPlanName} para o ${toPlanName}.`;

import { quoted } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { GiftMessage } from "#app/domain/purchases/schema/outbox/gifts.ts";

/** Notifications about a gift: to its giver, to its recipient by e-mail only, and to its creator. */
export const giftNotifications: NotificationRenderers<GiftMessage> = {
  "gift.bought": boughtNotifications,
  "gift.delivered": (message) => [deliveredNotification(message)],
  "gift.claimed": claimedNotification,
  "gift.taken_back": (message) => [takenBackNotification(message)],
};

type Of<Type extends GiftMessage["type"]> = Extract<GiftMessage, { type: Type }>;

function boughtNotifications({
  type: kind,
  giverId,
  giverName,
  creatorId,
  creatorName,
  planName,
  amountCents,
  recipientName,
  isMailed,
  deliverAt,
  claimUntil,
  link,
  path,
  chargeId,
}: Of<"gift.bought">): NotificationDraft[] {
  const whom = recipientName === "" ? "quem você quiser" : recipientName;
  const way = !isMailed
    ? `Para entregar, passe este endereço a ${whom}: ${link}`
    : deliverAt === null
      ? `Já mandamos o presente por e-mail. Se preferir entregar sem o e-mail, o endereço é: ${link}`
      : `O presente vai por e-mail em ${formatDay(deliverAt)}. Se quiser passar antes, o endereço é: ${link}`;
  return [
    {
      personId: giverId,
      kind,
      body: `Seu presente do plano ${planName}, de ${creatorName}, está pronto.`,
      path,
      mail: {
        subject: `Seu presente de ${creatorName} está pronto`,
        body: [
          `Recebemos ${formatMoney(amountCents)} pelo plano ${planName}, de ${creatorName}.`,
          way,
          `Quem abre o endereço resgata: não o mostre a mais ninguém. Vale até ${formatDay(claimUntil)}; se ninguém resgatar, devolvemos tudo. O cartão para imprimir está em Ajustes, Compras.`,
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.",
        ].join("\n\n"),
      },
    },
    {
      personId: creatorId,
      kind,
      about: "sale",
      body: `${giverName} comprou o plano ${planName} de presente, por ${formatMoney(amountCents)}.`,
      path: `/settings/transactions/${chargeId}`,
      mail: null,
    },
  ];
}

/** The recipient may have no account, and so gets an e-mail. */
function deliveredNotification({
  type: kind,
  email,
  giverName,
  recipientName,
  message,
  creatorName,
  planName,
  claimUntil,
  link,
}: Of<"gift.delivered">): NotificationDraft {
  return {
    personId: null,
    email,
    kind,
    body: "",
    path: "",
    mail: {
      subject: `${giverName} deu um presente a você`,
      body: [
        recipientName === "" ? "Oi!" : `Oi, ${recipientName}!`,
        `${giverName} deu a você o plano ${planName}, de ${creatorName}, no Coreto. Já está pago: não custa nada e não renova.`,
        ...(message === "" ? [] : [quoted(message)]),
        `Para abrir: ${link}`,
        `O presente vale até ${formatDay(claimUntil)}. Se não conhece quem deu, ignore este e-mail.`,
      ].join("\n\n"),
    },
  };
}

function claimedNotification({
  type: kind,
  giverId,
  claimerId,
  claimerName,
  creatorId,
  creatorName,
  planName,
  accessUntil,
  path,
  giftId,
}: Of<"gift.claimed">): NotificationDraft[] {
  const until = formatDay(accessUntil);
  return [
    // A giver who claims their own gift gets one notification.
    ...(giverId === claimerId
      ? []
      : [
          {
            personId: giverId,
            kind,
            body: `${claimerName} resgatou o seu presente: ${planName}, de ${creatorName}.`,
            path,
            mail: {
              subject: "Seu presente foi resgatado",
              body: `${claimerName} resgatou o plano ${planName}, de ${creatorName}, que você deu. O acesso vai até ${until}.`,
            },
          },
        ]),
    {
      personId: claimerId,
      kind,
      body: `O plano ${planName}, de ${creatorName}, está aberto para você até ${until}. Não renova.`,
      path: `/settings/subscriptions/${giftId}`,
      mail: null,
    },
    {
      personId: creatorId,
      kind,
      about: "sale",
      body: `${claimerName} entrou no plano ${planName} por um presente.`,
      path: "/me/subscribers",
      mail: null,
    },
  ];
}

function takenBackNotification({
  type: kind,
  claimerId,
  creatorName,
  creatorUsername,
  planName,
  isFollowed = false,
}: Of<"gift.taken_back">): NotificationDraft {
  const body = `O presente do plano ${planName}, de ${creatorName}, terminou: o pagamento voltou para quem deu. Nada foi cobrado de você.`;
  return {
    personId: claimerId,
    kind,
    body,
    path: `/space/${creatorUsername}`,
    mail: {
      subject: "O seu presente terminou",
      body: `${body} ${isFollowed ? "A sua assinatura, já paga, começa no dia dela." : "Se quiser continuar, é só assinar."}`,
    },
  };
}

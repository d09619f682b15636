import { linkOpensText } from "./link.ts";
import { changeNotifications } from "./change-notifications.ts";
import { pathOf, placeText, whenText } from "./notification-texts.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { counted, quoted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";

const startText = (minutes: number | undefined): string =>
  minutes === undefined
    ? "começa daqui a pouco"
    : `começa em ${counted(minutes, "minuto", "minutos")}`;

/** Where the link of an event is, or when it comes. The email itself may be forwarded: it has none. */
function remindedLinkText({
  hasLink,
  linkOpensAt,
  timeZone,
}: {
  hasLink: boolean;
  linkOpensAt: number | null;
  timeZone: string;
}): string {
  if (!hasLink) return "";
  return linkOpensAt === null
    ? "O link do evento está no seu ingresso. "
    : `${linkOpensText(linkOpensAt, timeZone)} `;
}

/** What the creator wrote with the answer to a request. */
const replyText = ({ creatorName, reply }: { creatorName: string; reply: string }): string =>
  reply === "" ? "" : `\n\nRecado de ${creatorName}:\n${reply}`;

const SHOWN_LETTERS = 160;

/** A message as a list of notifications shows it, in one line. */
function shortened(text: string): string {
  const letters = Array.from(text.replaceAll(/\s+/g, " "));
  return letters.length > SHOWN_LETTERS
    ? `${letters.slice(0, SHOWN_LETTERS).join("").trimEnd()}…`
    : letters.join("");
}

/** Notifies people with a seat, or in the waiting list, by an own email each. */
export const eventNotifications: NotificationRenderers<EventMessage> = {
  "event.seat_taken": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, quantity } = message;
    const seats = counted(quantity, "vaga", "vagas");
    return [
      {
        personId,
        kind,
        body: `Você tem ${seats} em ${quoted(eventTitle)}.`,
        path: `${pathOf(eventId)}/ticket`,
        mail: {
          subject: `A sua vaga em ${quoted(eventTitle)}`,
          body: `Você tem ${seats} em ${quoted(eventTitle)}, de ${creatorName}.\n\nQuando: ${whenText(message)}.\nOnde: ${placeText(message.place)}.\n\nO ingresso com o QR code está no link abaixo. Se não puder ir, cancele a vaga por lá: ela passa para quem espera.`,
        },
      },
    ];
  },
  "event.ticket_offered": (message) => {
    const { type: kind, personId, giverId, giverName, eventTitle, transferId } = message;
    const body = `${giverName} quer passar a você um ingresso de ${quoted(eventTitle)}.`;
    return [
      {
        personId,
        kind,
        body,
        path: `/events/transfers/${transferId}`,
        fromId: giverId,
        mail: {
          subject: `${giverName} quer passar um ingresso a você`,
          body: `${body}\n\nQuando: ${whenText(message)}.\n\nAceite pelo link abaixo, antes do começo. Não custa nada.`,
        },
      },
    ];
  },
  "event.ticket_mailed": (message) => {
    const { type: kind, email, giverName, eventTitle, creatorName, link } = message;
    return [
      {
        personId: null,
        email,
        kind,
        body: "",
        path: "",
        mail: {
          subject: `${giverName} quer passar um ingresso a você`,
          body: `Oi!\n\n${giverName} quer passar a você um ingresso de ${quoted(eventTitle)}, de ${creatorName}, no Coreto.\n\nQuando: ${whenText(message)}.\n\nPara aceitar: ${link}\n\nO link vale para uma pessoa, até o começo, e não custa nada. Se não conhece quem mandou, ignore este e-mail.`,
        },
      },
    ];
  },
  "event.ticket_accepted": (message) => {
    const { type: kind, personId, eventId, eventTitle, receiverId, receiverName } = message;
    const body = `${receiverName} aceitou o seu ingresso de ${quoted(eventTitle)}. O QR code antigo não vale mais.`;
    return [
      {
        personId,
        kind,
        body,
        path: pathOf(eventId),
        fromId: receiverId,
        mail: { subject: `${receiverName} aceitou o seu ingresso`, body },
      },
    ];
  },
  "event.ticket_voided": (message) => {
    const { type: kind, personId, eventId, eventTitle } = message;
    const body = `O seu ingresso de ${quoted(eventTitle)} não vale mais: o pagamento dele foi desfeito.`;
    return [
      {
        personId,
        kind,
        body,
        path: pathOf(eventId),
        mail: {
          subject: `O seu ingresso não vale mais: ${quoted(eventTitle)}`,
          body: `${body}\n\nO evento é ${whenText(message)}. Fale com quem passou o ingresso a você, ou veja pelo link abaixo se ainda há vaga.`,
        },
      },
    ];
  },
  "event.seat_offered": ({
    type: kind,
    personId,
    eventId,
    eventTitle,
    creatorName,
    quantity,
    offerEndsAt,
  }) => {
    const body = `Chegou a sua vez: ${counted(quantity, "vaga espera", "vagas esperam")} por você em ${quoted(eventTitle)}, até ${formatMinute(offerEndsAt)}, pelo horário de Brasília.`;
    return [
      {
        personId,
        kind,
        body,
        path: pathOf(eventId),
        mail: {
          subject: `Abriu vaga em ${quoted(eventTitle)}`,
          body: `${body}\n\nO evento é de ${creatorName}. Confirme pelo link abaixo; depois desse horário a vaga passa para a próxima pessoa da fila.`,
        },
      },
    ];
  },
  "event.seat_requested": ({ type: kind, personId, eventId, eventTitle, ...asked }) => [
    {
      personId,
      kind,
      body: `${asked.requesterName} pede ${counted(asked.quantity, "vaga", "vagas")} em ${quoted(eventTitle)}.`,
      path: `${pathOf(eventId)}/requests`,
      fromId: asked.requesterId,
      mail: null,
    },
  ],
  "event.request_approved": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, offerEndsAt } = message;
    const seats = counted(message.quantity, "vaga", "vagas");
    const isFree = offerEndsAt === null;
    const next = isFree
      ? `Você tem ${seats}.`
      : `${counted(message.quantity, "vaga espera", "vagas esperam")} por você até ${formatMinute(offerEndsAt)}, pelo horário de Brasília: falta pagar.`;
    const body = `O seu pedido para ${quoted(eventTitle)} foi aprovado. ${next}`;
    return [
      {
        personId,
        kind,
        body,
        path: isFree ? `${pathOf(eventId)}/ticket` : pathOf(eventId),
        mail: {
          subject: `Pedido aprovado: ${quoted(eventTitle)}`,
          body: `${body}${replyText(message)}\n\nO evento é de ${creatorName}.\nQuando: ${whenText(message)}.\n\n${isFree ? "O ingresso com o QR code está no link abaixo." : "Compre pelo link abaixo; depois desse horário a vaga passa adiante."}`,
        },
      },
    ];
  },
  "event.request_refused": (message) => {
    const { type: kind, personId, eventId, eventTitle } = message;
    const body = `O seu pedido de vaga em ${quoted(eventTitle)} não foi aprovado.`;
    return [
      {
        personId,
        kind,
        body,
        path: pathOf(eventId),
        mail: {
          subject: `O seu pedido para ${quoted(eventTitle)}`,
          body: `${body}${replyText(message)}`,
        },
      },
    ];
  },
  "event.offer_ended": ({ type: kind, personId, eventId, eventTitle }) => [
    {
      personId,
      kind,
      body: `A vaga que esperava por você em ${quoted(eventTitle)} passou adiante: o tempo dela acabou.`,
      path: pathOf(eventId),
      mail: null,
    },
  ],
  ...changeNotifications,
  "event.message_sent": ({ type: kind, personId, eventId, eventTitle, creatorName, text }) => [
    {
      personId,
      kind,
      body: `${creatorName}, sobre ${quoted(eventTitle)}: ${shortened(text)}`,
      path: pathOf(eventId),
      mail: {
        subject: `${creatorName}, sobre ${quoted(eventTitle)}`,
        body: `${creatorName} escreveu a quem vai a ${quoted(eventTitle)}:\n\n${text}`,
      },
    },
  ],
  "event.page_closed": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName } = message;
    const body = `A página de ${creatorName} fechou, e ${quoted(eventTitle)} pode não acontecer.`;
    return [
      {
        personId,
        kind,
        body,
        path: pathOf(eventId),
        mail: {
          subject: `Pode não acontecer: ${quoted(eventTitle)}`,
          body: `${body}\n\nSeria ${whenText(message)}. A sua vaga continua; se preferir, cancele-a pelo link abaixo. Se o evento for cancelado, avisamos.`,
        },
      },
    ];
  },
  "event.reminded": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, ahead } = message;
    const soon = ahead === "start" ? startText(message.minutes) : "está chegando";
    return [
      {
        personId,
        kind,
        body: `${quoted(eventTitle)} ${soon}: ${whenText(message)}.`,
        path: `${pathOf(eventId)}/ticket`,
        mail: {
          subject: `${quoted(eventTitle)} ${soon}`,
          body: `${quoted(eventTitle)}, de ${creatorName}, ${soon}.\n\nQuando: ${whenText(message)}.\nOnde: ${placeText(message.place)}.\n\n${remindedLinkText(message)}O seu ingresso está no link abaixo.`,
        },
      },
    ];
  },
};

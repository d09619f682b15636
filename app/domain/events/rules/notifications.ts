import { eventMomentText, zoneText } from "#app/domain/events/rules/times.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { counted, quoted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";

const pathOf = (eventId: string): string => `/events/${eventId}`;

const whenText = ({ startsAt, timeZone }: { startsAt: number; timeZone: string }): string =>
  `${eventMomentText(startsAt, timeZone)}, ${zoneText(startsAt, timeZone)}`;

const placeText = (place: string): string => (place === "" ? "on-line" : place);

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
  "event.offer_ended": ({ type: kind, personId, eventId, eventTitle }) => [
    {
      personId,
      kind,
      body: `A vaga que esperava por você em ${quoted(eventTitle)} passou para a próxima pessoa da fila.`,
      path: pathOf(eventId),
      mail: null,
    },
  ],
  "event.changed": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName } = message;
    return [
      {
        personId,
        kind,
        body: `${quoted(eventTitle)} mudou: ${whenText(message)}.`,
        path: pathOf(eventId),
        mail: {
          subject: `Mudou: ${quoted(eventTitle)}`,
          body: `${creatorName} mudou a hora, o lugar ou o link de ${quoted(eventTitle)}. Agora é assim:\n\nQuando: ${whenText(message)}.\nOnde: ${placeText(message.place)}.\n\nO fim e o link, para quem tem vaga, estão na página do evento. Se assim não der para você, cancele a sua vaga por lá, em “Cancelar minha vaga”.`,
        },
      },
    ];
  },
  "event.canceled": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName } = message;
    return [
      {
        personId,
        kind,
        body: `${quoted(eventTitle)} foi cancelado.`,
        path: pathOf(eventId),
        mail: {
          subject: `Cancelado: ${quoted(eventTitle)}`,
          body: `${creatorName} cancelou ${quoted(eventTitle)}, que seria ${whenText(message)}. Você não precisa fazer nada.`,
        },
      },
    ];
  },
  "event.reminded": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, ahead } = message;
    const soon = ahead === "start" ? "começa daqui a pouco" : "está chegando";
    return [
      {
        personId,
        kind,
        body: `${quoted(eventTitle)} ${soon}: ${whenText(message)}.`,
        path: `${pathOf(eventId)}/ticket`,
        mail: {
          subject: `${quoted(eventTitle)} ${soon}`,
          body: `${quoted(eventTitle)}, de ${creatorName}, ${soon}.\n\nQuando: ${whenText(message)}.\nOnde: ${placeText(message.place)}.\n\nO seu ingresso está no link abaixo.`,
        },
      },
    ];
  },
};

import { pathOf, placeText, whenText } from "./notification-texts.ts";
import { eventMomentText, zoneText } from "#app/domain/events/times/rules.ts";
import type { AnnouncedChange } from "#app/domain/events/rules.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { counted, quoted } from "#app/domain/text.ts";

const CHANGE_TEXTS: Record<AnnouncedChange, string> = {
  start: "a hora do começo",
  end: "a hora do fim",
  place: "o lugar",
  link: "o link",
};
/** Changes after which a paid ticket is refunded until the start. */
const MOVING: AnnouncedChange[] = ["start", "end", "place"];
const LIST = new Intl.ListFormat("pt-BR");

const changedText = (changed: AnnouncedChange[]): string =>
  changed.length === 0
    ? "a hora, o lugar ou o link"
    : LIST.format(changed.map((change) => CHANGE_TEXTS[change]));

const endText = ({ endsAt, timeZone }: { endsAt?: number | undefined; timeZone: string }): string =>
  endsAt === undefined ? "" : `\nFim: ${eventMomentText(endsAt, timeZone)}.`;

type Dates = { startsAt: number; endsAt: number; timeZone: string }[];

/** A line for each date, with its end where that changed. */
const datesText = (dates: Dates, isEndShown = false): string =>
  dates
    .map(({ startsAt, endsAt, timeZone }) => {
      const end = isEndShown ? `, até ${eventMomentText(endsAt, timeZone)}` : "";
      return `- ${eventMomentText(startsAt, timeZone)}${end}, ${zoneText(startsAt, timeZone)}`;
    })
    .join("\n");

type ChangeMessage = Extract<EventMessage, { type: "event.changed" | "event.canceled" }>;

/** Tells of another time, place or link, and of a cancellation: of one date, or of several at once. */
export const changeNotifications: NotificationRenderers<ChangeMessage> = {
  "event.changed": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, dates } = message;
    const isOfMany = dates.length > 1;
    const when = isOfMany
      ? `As suas datas agora:\n\n${datesText(dates, message.changed.includes("end"))}\n\n`
      : `Agora é assim:\n\nComeço: ${whenText(message)}.${endText(message)}\n`;
    const link = isOfMany
      ? "Os links novos estão nos seus ingressos. "
      : "O link novo está no seu ingresso. ";
    return [
      {
        personId,
        kind,
        body: isOfMany
          ? `${quoted(eventTitle)} mudou em ${counted(dates.length, "data", "datas")}: ${changedText(message.changed)}. A primeira começa ${whenText(message)}.`
          : `${quoted(eventTitle)} mudou: ${changedText(message.changed)}. Começa ${whenText(message)}.`,
        path: pathOf(eventId),
        mail: {
          subject: `Mudou: ${quoted(eventTitle)}`,
          body: `${creatorName} mudou ${quoted(eventTitle)}: ${changedText(message.changed)}. ${when}Onde: ${placeText(message.place)}.\n\n${message.changed.includes("link") ? link : ""}Se assim não der para você, cancele a sua vaga por lá, em “Cancelar minha vaga”.${message.hasPaid > 0 && MOVING.some((change) => message.changed.includes(change)) ? " Você recebe todo o dinheiro de volta, se cancelar antes do começo." : ""}`,
        },
      },
    ];
  },
  "event.canceled": (message) => {
    const { type: kind, personId, eventId, eventTitle, creatorName, dates } = message;
    const isOfMany = dates.length > 1;
    const canceled = isOfMany
      ? `${creatorName} cancelou estas datas de ${quoted(eventTitle)}:\n\n${datesText(dates)}\n\n`
      : `${creatorName} cancelou ${quoted(eventTitle)}, que seria ${whenText(message)}. `;
    return [
      {
        personId,
        kind,
        body: isOfMany
          ? `${quoted(eventTitle)} foi cancelado em ${counted(dates.length, "data", "datas")}.`
          : `${quoted(eventTitle)} foi cancelado.`,
        path: pathOf(eventId),
        mail: {
          subject: `Cancelado: ${quoted(eventTitle)}`,
          body: `${canceled}${message.hasPaid > 0 ? "Devolvemos tudo o que você pagou, pelo mesmo meio. " : ""}Você não precisa fazer nada.`,
        },
      },
    ];
  },
};

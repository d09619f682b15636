import type { DoorAnswer, EntryState } from "#app/domain/events/door/rules.ts";
import { eventDayText, eventMomentText, eventTimeText } from "#app/domain/events/times/rules.ts";
import type { Instant } from "#app/domain/time.ts";

type Clock = { now: Instant; timeZone: string };

/** Writes "às 20:03", and on another day "em sexta-feira, 27 de novembro de 2026, 20:03". */
export function atText(at: Instant, { now, timeZone }: Clock): string {
  return eventDayText(at, timeZone) === eventDayText(now, timeZone)
    ? `às ${eventTimeText(at, timeZone)}`
    : `em ${eventMomentText(at, timeZone)}`;
}

/** Says what an answer means to who stands at the door. `isOffline`: the device decided alone. */
export function answerText(answer: DoorAnswer, clock: Clock, isOffline: boolean): string {
  switch (answer.kind) {
    case "entered":
      return `${answer.name} pode entrar.${answer.kindName === null ? "" : ` Ingresso: ${answer.kindName}.`}`;
    case "used":
      return `${answer.name} já entrou com este ingresso ${atText(answer.at, clock)}.`;
    case "canceled":
      return `A vaga de ${answer.name} foi cancelada e não entra mais.`;
    case "event_canceled":
      return "Este evento foi cancelado: nenhum ingresso entra.";
    case "undone":
      return "Esta leitura foi desfeita. Leia o ingresso de novo.";
    case "unknown":
      return isOffline
        ? "Este código não está na lista que este aparelho guardou. Sem internet não dá para conferir."
        : "Este código não é de um ingresso deste evento.";
  }
}

/** Says why an entry that was decided without network was not stored. */
export const PROBLEM_TEXTS: Record<Exclude<EntryState, "stored">, string> = {
  canceled: "Entrou sem internet, mas a vaga já estava cancelada.",
  event_canceled: "Entrou sem internet, mas o evento já estava cancelado.",
  unknown: "Entrou sem internet, mas o ingresso não existe mais.",
};

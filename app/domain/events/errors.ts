import { Refusal } from "#app/domain/errors.ts";
import type { SeatProblem, WaitingProblem } from "./rules.ts";
import { counted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export class EventNotRecorded extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este evento não tem gravação para publicar: ele precisa ter acabado e ter o link de um vídeo do YouTube ou do Vimeo.",
    );
  }
}

export class EventNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este evento.");
  }
}

export class EventNeedsPage extends Refusal {
  constructor() {
    super("forbidden", "Abra a sua página antes de criar um evento.", undefined, {
      to: "/space/create",
      text: "Abrir a minha página",
    });
  }
}

export class EventChangedElsewhere extends Refusal {
  constructor({ eventId }: { eventId: string }) {
    super(
      "conflict",
      "Este evento mudou em outra aba ou aparelho. Veja como está antes de salvar de novo; o que você escreveu continua aqui.",
      undefined,
      { to: `/events/${eventId}`, text: "Ver como está" },
    );
  }
}

export class EventCanceled extends Refusal {
  constructor() {
    super("conflict", "Este evento foi cancelado e não muda mais.");
  }
}

/** At the door of a canceled event no ticket is valid. */
export class CanceledAtDoor extends Refusal {
  constructor() {
    super("conflict", "Este evento foi cancelado: nenhum ingresso entra.", "code");
  }
}

export class EventNotPublished extends Refusal {
  constructor() {
    super("conflict", "Este evento ainda é um rascunho: apague o rascunho em vez de cancelar.");
  }
}

export class EventIsPublished extends Refusal {
  constructor() {
    super("conflict", "Este evento já foi publicado: em vez de apagar, cancele o evento.");
  }
}

export class EventOver extends Refusal {
  constructor() {
    super("conflict", "Este evento já terminou.");
  }
}

export class EventInPast extends Refusal {
  constructor() {
    super("invalid", "Este horário já passou. Escolha um que ainda venha.", "endsAt");
  }
}

export class EventTooFar extends Refusal {
  constructor() {
    super("invalid", "Um evento começa em até 3 anos. Confira o ano.", "startsAt");
  }
}

export class CapacityBelowSeats extends Refusal {
  constructor(seats: number) {
    super(
      "conflict",
      `Já há ${counted(seats, "vaga ocupada ou oferecida", "vagas ocupadas ou oferecidas")}, com as de pagamentos em andamento. Escolha um número que não seja menor.`,
      "capacity",
    );
  }
}

export class TooManyEvents extends Refusal {
  constructor() {
    super("limit", "Você criou muitos eventos hoje. Amanhã pode criar mais.");
  }
}

export class TooManyChanges extends Refusal {
  constructor() {
    super(
      "limit",
      "Hoje você já avisou muitas mudanças de hora, lugar ou link. Amanhã pode mudar de novo; o que você escreveu continua aqui.",
    );
  }
}

export class UnknownEventPlan extends Refusal {
  constructor() {
    super("invalid", "Escolha entre os seus planos.", "planIds");
  }
}

const SEAT_MESSAGES: Record<SeatProblem, string> = {
  canceled: "Este evento foi cancelado.",
  not_published: "Não encontramos este evento.",
  over: "Este evento já terminou.",
  closed: "Este evento é para quem tem acesso a ele. Veja na página o que abre a vaga.",
  off_sale: "Os ingressos deste evento não estão mais à venda.",
  kind_soon: "Este tipo de ingresso ainda não está à venda. Veja no evento quando começa.",
  kind_over: "Este tipo de ingresso não está mais à venda. Escolha outro.",
  kind_few: "Deste tipo não sobram tantos ingressos. Escolha menos, ou outro tipo.",
  too_many: "Você já tem todas as vagas que uma pessoa pode ter neste evento.",
  approval:
    "Neste evento a vaga é pedida, e quem organiza responde. Peça a sua na página do evento.",
  queue: "Há gente na fila antes de você. Entre na fila, e avisamos quando chegar a sua vez.",
  few: "Não sobram tantas vagas. Escolha menos, ou entre na fila.",
  full: "A última vaga acabou de ir. Entre na fila: se alguém desistir, avisamos você.",
};

/** No seat for this person, with the reason. */
export class NoSeat extends Refusal {
  readonly why: SeatProblem;

  constructor(why: SeatProblem) {
    super(why === "not_published" ? "not_found" : "conflict", SEAT_MESSAGES[why]);
    this.why = why;
  }
}

/** No place in the waiting list, with the reason. */
export class NotWaiting extends Refusal {
  constructor(why: WaitingProblem) {
    super(
      why === "not_published" ? "not_found" : "conflict",
      why === "not_full" ? "Ainda há vagas: não é preciso esperar na fila." : SEAT_MESSAGES[why],
    );
  }
}

/** The event sells tickets: one of its kinds is to be chosen. */
export class NoTicketKind extends Refusal {
  constructor() {
    super("invalid", "Escolha um tipo de ingresso.", "kindId");
  }
}

/** Another choice while a payment runs, whose seats are held. */
export class PaymentIsRunning extends Refusal {
  constructor({ chargeId }: { chargeId: string }) {
    super(
      "conflict",
      "Você tem um pagamento em andamento neste evento. Pague ou desista dele antes de escolher de novo.",
      undefined,
      { to: `/checkout/${chargeId}`, text: "Ver o pagamento" },
    );
  }
}

export class TicketKindNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este tipo de ingresso.");
  }
}

export class TicketKindNamed extends Refusal {
  constructor() {
    super("conflict", "Este evento já tem um tipo de ingresso com este nome.", "name");
  }
}

export class TooManyTicketKinds extends Refusal {
  constructor() {
    super("limit", "Um evento tem até 20 tipos de ingresso.");
  }
}

export class KindCapacityBelowSeats extends Refusal {
  constructor(seats: number) {
    super(
      "conflict",
      `Deste tipo já há ${counted(seats, "ingresso vendido ou em pagamento", "ingressos vendidos ou em pagamento")}. Escolha um número que não seja menor.`,
      "kindCapacity",
    );
  }
}

/** The seat is paid for, and its bank examines the payment. */
export class SeatUnderDispute extends Refusal {
  constructor() {
    super(
      "conflict",
      "O pagamento deste ingresso está em contestação no banco: o dinheiro espera a decisão dele.",
    );
  }
}

export class TooManySeats extends Refusal {
  constructor() {
    super("limit", "Você pegou e cancelou muitas vagas. Tente de novo daqui a uma hora.");
  }
}

export class TooManyChoices extends Refusal {
  constructor() {
    super("limit", "Você escolheu ingressos muitas vezes. Tente de novo daqui a uma hora.");
  }
}

/** Without a kind, or with fewer of it, the event would have fewer seats than are gone. */
export class TooFewSeatsLeft extends Refusal {
  constructor(seats: number) {
    super(
      "conflict",
      `O evento ficaria pequeno demais: já há ${counted(seats, "vaga ocupada, em pagamento ou oferecida à fila", "vagas ocupadas, em pagamento ou oferecidas à fila")}.`,
    );
  }
}

export class TooManyListChanges extends Refusal {
  constructor() {
    super("limit", "Você entrou em filas muitas vezes. Tente de novo daqui a uma hora.");
  }
}

export class TooManyEventMessages extends Refusal {
  constructor() {
    super(
      "limit",
      "Você já mandou 5 recados sobre este evento hoje. Amanhã pode mandar outro; o que você escreveu continua aqui.",
    );
  }
}

export class NobodyComes extends Refusal {
  constructor() {
    super("conflict", "Ninguém tem vaga neste evento ainda: não há a quem mandar.");
  }
}

export class NothingToCancel extends Refusal {
  constructor() {
    super("conflict", "Você não tem vaga que possa cancelar neste evento.");
  }
}

export class TicketNameFixed extends Refusal {
  constructor() {
    super("conflict", "O nome deste ingresso não muda mais.");
  }
}

export class TicketUnknown extends Refusal {
  constructor() {
    super("not_found", "Este código não é de um ingresso deste evento.", "code");
  }
}

export class TicketCanceled extends Refusal {
  constructor(name: string) {
    super("conflict", `A vaga de ${name} foi cancelada e não entra mais.`, "code");
  }
}

/** The ticket was used: it lets nobody in a second time. */
export class TicketUsed extends Refusal {
  constructor({ name, checkedInAt }: { name: string; checkedInAt: Instant }) {
    super(
      "conflict",
      `${name} já entrou com este ingresso em ${formatMinute(checkedInAt)}.`,
      "code",
    );
  }
}

export class CheckInChanged extends Refusal {
  constructor() {
    super("conflict", "Esta entrada já foi desfeita, ou a pessoa entrou de novo. Nada mudou.");
  }
}

/** Another account signed in on the device since its door was opened. */
export class OtherAccountAtDoor extends Refusal {
  constructor() {
    super("unauthenticated", "A portaria foi aberta em outra conta. Entre nela para continuar.");
  }
}

export class TooManyCalendars extends Refusal {
  constructor() {
    super("limit", "Você gerou muitos endereços hoje. Amanhã pode gerar outro.");
  }
}

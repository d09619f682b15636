import { Refusal } from "#app/domain/errors.ts";
import { counted } from "#app/domain/text.ts";

/** The dates of a new event were only looked at: without JavaScript. */
export class DatesOnlyShown extends Refusal {
  constructor() {
    super("invalid", "Nada foi salvo ainda. Confira as próximas datas abaixo, e então salve.");
  }
}

export class SeriesDayChanged extends Refusal {
  constructor() {
    super(
      "invalid",
      "Para mudar o dia, escolha “Só esta data”. Em várias datas mudam a hora e o resto.",
      "startsAt",
    );
  }
}

/** A former change has not reached all dates. */
export class SeriesIsChanging extends Refusal {
  constructor() {
    super(
      "conflict",
      "A mudança anterior ainda está chegando às outras datas. Tente de novo em um minuto; o que você escreveu continua aqui.",
    );
  }
}

/** The new rule leaves out a date at which somebody has a seat. */
export class DateIsTaken extends Refusal {
  constructor(when: string) {
    super(
      "conflict",
      `Em ${when} alguém já tem, paga ou espera uma vaga, e a nova repetição deixa esse dia de fora. Escolha uma que tenha esse dia, ou cancele essa data antes.`,
    );
  }
}

/** A moderator hid the date of which the others would be copies. */
export class HiddenDateRepeats extends Refusal {
  constructor() {
    super(
      "conflict",
      "A moderação ocultou este evento, e dele não são feitas outras datas. Se ele já repete, mude a repetição a partir de uma data que não foi ocultada.",
    );
  }
}

/** A kind of ticket does not fit the seats that are gone at one of the chosen dates. */
export class TooFewSeatsOnOtherDate extends Refusal {
  constructor() {
    super(
      "conflict",
      "Em uma das datas escolhidas já há mais vagas ocupadas do que assim caberiam. Mude só esta data, ou escolha um número maior.",
    );
  }
}

/** A date has more seats gone than the new capacity. */
export class DateHasMoreSeats extends Refusal {
  constructor({ when, seats }: { when: string; seats: number }) {
    super(
      "conflict",
      `Em ${when} já há ${counted(seats, "vaga ocupada ou oferecida", "vagas ocupadas ou oferecidas")}, com as de pagamentos em andamento. Escolha um número que não seja menor, ou mude só esta data.`,
      "capacity",
    );
  }
}

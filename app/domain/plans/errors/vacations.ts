import { counted } from "#app/domain/text.ts";
import { Refusal } from "#app/domain/errors.ts";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import type { Instant } from "#app/domain/time.ts";

/** During a creator's vacation nothing of the page is sold, charged or paused. */
export class CreatorOnVacation extends Refusal {
  constructor(until: Instant) {
    super(
      "conflict",
      `${vacationLabel(until)}: até lá esta página não vende nem cobra assinaturas. Nada foi cobrado.`,
    );
  }
}

export class NothingToPauseForVacation extends Refusal {
  constructor() {
    super("conflict", "Só quem tem uma página com planos sai de férias.");
  }
}

export class VacationAlreadyRunning extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você já está de férias, ou acabou de voltar delas. Espere alguns minutos para começar outras.",
    );
  }
}

export class VacationTooSoon extends Refusal {
  constructor(days: number) {
    super(
      "conflict",
      `Quem assina precisa de um tempo entre umas férias e outras: espere ${counted(days, "dia", "dias")}.`,
    );
  }
}

export class VacationNotRunning extends Refusal {
  constructor() {
    super("conflict", "Você não está de férias.");
  }
}

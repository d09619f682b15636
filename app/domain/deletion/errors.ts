import { Refusal } from "#app/domain/errors.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export class DeletionAlreadyRequested extends Refusal {
  constructor() {
    super("conflict", "A exclusão da sua conta já foi pedida.");
  }
}

export class DeletionNotRequested extends Refusal {
  constructor() {
    super("conflict", "A sua conta não está sendo excluída.");
  }
}

export class DeletionNotCancelable extends Refusal {
  constructor(dueAt: Instant) {
    super(
      "conflict",
      `O prazo para mudar de ideia terminou em ${formatDay(dueAt)}. As devoluções já começaram.`,
    );
  }
}

import { Refusal } from "#app/domain/errors.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { formatMinute, formatShortMinute, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

export class BroadcastNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta mensagem para muitos.");
  }
}

export class BroadcastStarted extends Refusal {
  constructor() {
    super("conflict", "Esta mensagem já começou a sair e não muda mais.");
  }
}

export class BroadcastEnded extends Refusal {
  constructor() {
    super("conflict", "Esta mensagem já terminou. Não há mais o que cancelar.");
  }
}

export class NoRecipients extends Refusal {
  constructor() {
    super("conflict", "Ninguém recebe esta mensagem agora. Escolha outras pessoas.");
  }
}

export class UnknownPlan extends Refusal {
  constructor() {
    super("invalid", "Escolha um dos seus planos.", "planIds");
  }
}

export class TooManyDrafts extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você escreveu muitas mensagens para muitos. ${retryAfterText(freeAt)} O seu texto continua aqui.`,
    );
  }
}

const upToTheMinute = (at: Instant): Instant => Math.ceil(at / MINUTE_MS) * MINUTE_MS;

/** One broadcast a day: `otherAt` is the one that is too near, `freeAt` the next free time. */
export class BroadcastTooSoon extends Refusal {
  constructor({ otherAt, freeAt }: { otherAt: Instant; freeAt: Instant }) {
    super(
      "limit",
      `Uma mensagem para muitos por dia: já há uma em ${formatShortMinute(otherAt)}. A próxima pode sair a partir de ${formatShortMinute(upToTheMinute(freeAt))}.`,
      "sendAt",
    );
  }
}

export class SendTimePast extends Refusal {
  constructor(now: Instant) {
    super("invalid", `Escolha um horário depois de ${formatMinute(now)}.`, "sendAt");
  }
}

export class SendTimeTooFar extends Refusal {
  constructor() {
    super("invalid", "Escolha um horário nos próximos 90 dias.", "sendAt");
  }
}

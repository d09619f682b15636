import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";
import { formatMoney } from "#app/domain/money.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { MINIMUM_PAYOUT_CENTS } from "./rules.ts";

export class NoWithdrawalMethod extends Refusal {
  constructor() {
    super("conflict", "Diga para onde vai o dinheiro antes de sacar: uma chave Pix ou uma conta.");
  }
}

export class DocumentsNotApproved extends Refusal {
  constructor() {
    super(
      "conflict",
      "Seus documentos ainda não foram aprovados. O saque é liberado assim que forem.",
    );
  }
}

export class PayoutAlreadyOpen extends Refusal {
  constructor() {
    super(
      "conflict",
      "Já existe um saque em andamento. O próximo pode ser pedido quando ele terminar.",
    );
  }
}

export class PayoutsUnavailable extends Refusal {
  constructor() {
    super(
      "unavailable",
      "Os saques estão fora do ar por enquanto. O seu saldo continua seu, e nada saiu dele. Tente de novo mais tarde.",
    );
  }
}

export class PaidOnAccountDeletion extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você pediu para excluir a conta: o saldo é pago por inteiro no fim, depois das devoluções a quem assina.",
    );
  }
}

export class BelowMinimum extends Refusal {
  constructor() {
    super("conflict", `O saque mínimo é ${formatMoney(MINIMUM_PAYOUT_CENTS)}.`);
  }
}

export class HeldByStaff extends Refusal {
  constructor() {
    super(
      "conflict",
      "A nossa equipe está conferindo os seus saques. O saldo continua seu; veja o motivo na página de saques.",
    );
  }
}

export class WithdrawalMethodOnHold extends Refusal {
  constructor(holdUntil: Instant) {
    super(
      "conflict",
      `A chave ou a conta mudou há pouco. Por segurança, saques voltam em ${formatMinute(holdUntil)}.`,
    );
  }
}

export class PixKeyMissing extends Refusal {
  constructor() {
    super("invalid", "Informe a chave Pix", "pixKey");
  }
}

export class PixKeyNotYours extends Refusal {
  constructor() {
    super(
      "invalid",
      "A chave CPF ou CNPJ precisa ser a dos seus documentos: de empresa, o CNPJ dela; de pessoa, o próprio CPF",
      "pixKey",
    );
  }
}

export class PixKeyOwnerMismatch extends Refusal {
  constructor() {
    super(
      "invalid",
      "Esta chave está no nome de outra pessoa no Pix. Use uma da sua conta: o dinheiro só vai para quem enviou os documentos",
      "pixKey",
    );
  }
}

export class PixKeyNotFound extends Refusal {
  constructor() {
    super(
      "invalid",
      "Não encontramos esta chave no Pix. Confira se está certa e se já foi cadastrada no seu banco",
      "pixKey",
    );
  }
}

export class TooManyPixKeyChanges extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Foram muitas chaves em pouco tempo, e nada mudou. ${retryAfterText(freeAt)}`,
      "pixKey",
    );
  }
}

export class BankPayoutsUnavailable extends Refusal {
  constructor() {
    super(
      "unavailable",
      "Por enquanto os saques vão só para chaves Pix. Cadastre uma chave da sua conta.",
      "bank",
    );
  }
}

export class PayoutNotFound extends Refusal {
  constructor() {
    super("not_found", "Este saque não existe.");
  }
}

export class PayoutInProgress extends Refusal {
  constructor() {
    super("conflict", "Este saque já saiu ou já terminou: não dá mais para cancelar.");
  }
}

export class NotHeldForApproval extends Refusal {
  constructor() {
    super("conflict", "Este saque não espera aprovação.");
  }
}

export class PayoutApprovalConflict extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Quem recebe, trabalha na equipe de quem recebe ou pediu o saque não o aprova. Peça a outra pessoa da moderação.",
    );
  }
}

export class PayoutReleaseConflict extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Quem recebe, ou trabalha na equipe de quem recebe, não libera os saques. Peça a outra pessoa da moderação.",
    );
  }
}

export class TooManyPayoutCancels extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Muitos pedidos cancelados seguidos. ${retryAfterText(freeAt)}`);
  }
}

export class PayoutPersonNotFound extends Refusal {
  constructor() {
    super("not_found", "Ninguém com este endereço.");
  }
}

export class PayoutsAlreadyHeld extends Refusal {
  constructor() {
    super("conflict", "Os saques desta pessoa já estão retidos.");
  }
}

export class PayoutsNotHeld extends Refusal {
  constructor() {
    super("conflict", "Os saques desta pessoa não estão retidos.");
  }
}

export class PayoutNotFailed extends Refusal {
  constructor() {
    super("conflict", "Só um saque que falhou ou voltou se pede de novo.");
  }
}

export class PayoutNotPaidAfterReversal extends Refusal {
  constructor() {
    super("conflict", "O provedor não diz que este saque foi pago. Nada mudou.");
  }
}

export class PayoutRecordConflict extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Quem recebe, ou trabalha na equipe de quem recebe, não registra este saque. Peça a outra pessoa da moderação.",
    );
  }
}

export class PayoutNotSentToProvider extends Refusal {
  constructor() {
    super("conflict", "O provedor não tem nada a dizer deste saque agora.");
  }
}

export class BatchNotFound extends Refusal {
  constructor() {
    super("not_found", "Não há lote neste dia.");
  }
}

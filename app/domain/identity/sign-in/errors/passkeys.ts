import { Refusal } from "#app/domain/errors.ts";

/** One error for everything that may be wrong with an authenticator's answer. */
export class PasskeyRefused extends Refusal {
  constructor() {
    super(
      "unauthenticated",
      "Não reconhecemos esta chave de acesso. Tente de novo, ou entre com a senha.",
    );
  }
}

export class TooManyPasskeys extends Refusal {
  constructor(max: number) {
    super("conflict", `Você já tem ${max} chaves de acesso. Remova uma antes de criar outra.`);
  }
}

export class PasskeyNotFound extends Refusal {
  constructor() {
    super("not_found", "Esta chave de acesso não existe ou já foi removida.");
  }
}

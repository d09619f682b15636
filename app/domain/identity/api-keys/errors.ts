import { Refusal } from "#app/domain/errors.ts";
import { LIVE_KEYS_MAX } from "./rules.ts";

export class ApiKeyNameTaken extends Refusal {
  constructor() {
    super("conflict", "Você já tem uma chave com este nome. Escolha outro.", "name");
  }
}

export class TooManyApiKeys extends Refusal {
  constructor() {
    super("conflict", `Você já tem ${LIVE_KEYS_MAX} chaves. Revogue uma antes de criar outra.`);
  }
}

export class ApiKeyNotFound extends Refusal {
  constructor() {
    super("not_found", "Esta chave não existe ou já foi revogada.");
  }
}

import { Refusal } from "#app/domain/errors.ts";

export class DifferenceNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta diferença.");
  }
}

/** It was repaired or explained meanwhile, or changed since it was read. */
export class DifferenceChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "Esta diferença mudou enquanto você escrevia. Confira os dois lados e tente de novo.",
    );
  }
}

export class DifferenceConflictOfInterest extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Ninguém explica uma diferença do próprio dinheiro, nem do da página em cuja equipe trabalha: outra pessoa da moderação explica.",
    );
  }
}

export class AlreadyExplained extends Refusal {
  constructor() {
    super(
      "conflict",
      "Você já explicou esta diferença. Outra pessoa da moderação precisa concordar.",
    );
  }
}

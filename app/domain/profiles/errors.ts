import { Refusal } from "#app/domain/errors.ts";

export class ProfileNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta página.");
  }
}

export class SpaceAlreadyOpen extends Refusal {
  constructor() {
    super("conflict", "A sua página já está aberta.");
  }
}

export class CannotFollowYourself extends Refusal {
  constructor() {
    super("invalid", "Você não pode seguir a si.");
  }
}

/** Says nothing of who blocked whom. */
export class CannotFollow extends Refusal {
  constructor() {
    super("forbidden", "Não é possível seguir esta página.");
  }
}

import { Refusal } from "#app/domain/errors.ts";

/** Source: domain rules, "Data protection". */
export class TooYoung extends Refusal {
  constructor() {
    super(
      "forbidden",
      "O Coreto é para quem já fez 16 anos. Vamos gostar de ver você aqui quando chegar a hora.",
      "birthDate",
    );
  }
}

export class BirthDateInFuture extends Refusal {
  constructor() {
    super("invalid", "Confira a data: este dia ainda não chegou.", "birthDate");
  }
}

/** This browser has no open registration, or it expired. */
export class RegistrationExpired extends Refusal {
  constructor() {
    super("conflict", "Este cadastro expirou ou foi começado em outro navegador. Comece de novo.");
  }
}

/** Another person connected the external account first. */
export class ExternalAccountTaken extends Refusal {
  constructor() {
    super("conflict", "Esta conta externa já está ligada a outra pessoa.");
  }
}

/** Finished before, with other details. */
export class AlreadyRegistered extends Refusal {
  constructor() {
    super("conflict", "Este cadastro já foi concluído com outros dados.");
  }
}

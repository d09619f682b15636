import { Refusal } from "#app/domain/errors.ts";

export const LINK_EXPIRED_MESSAGE =
  "Este link não vale mais. Para pausar ou cancelar, entre na sua conta e abra Ajustes, Assinaturas.";

export class LinkExpired extends Refusal {
  constructor() {
    super("not_found", LINK_EXPIRED_MESSAGE);
  }
}

export class TooManyLinkActions extends Refusal {
  constructor() {
    super(
      "limit",
      "Este link foi usado muitas vezes. Tente de novo daqui a uma hora, ou entre na sua conta.",
    );
  }
}

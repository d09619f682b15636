import { Refusal } from "#app/domain/errors.ts";

export class CommentNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este comentário. Ele pode ter sido apagado.");
  }
}

export class CommentsClosed extends Refusal {
  constructor() {
    super(
      "conflict",
      "Os comentários desta publicação foram fechados. O seu texto continua aqui.",
      "body",
    );
  }
}

export class TooManyComments extends Refusal {
  constructor() {
    super(
      "limit",
      "Você comentou muitas vezes seguidas. Espere um pouco e envie de novo: o seu texto continua aqui.",
      "body",
    );
  }
}

export class TooManyCommentLikes extends Refusal {
  constructor() {
    super("limit", "Muitas curtidas seguidas. Espere um pouco e tente de novo.");
  }
}

export class EditWindowOver extends Refusal {
  constructor() {
    super(
      "conflict",
      "Um comentário pode ser editado só nos 15 primeiros minutos. Copie o seu texto e comente de novo.",
      "body",
    );
  }
}

/** The action is not allowed to this person, or no longer possible. */
export class CommentActionRefused extends Refusal {
  constructor() {
    super("forbidden", "Isto não pode mais ser feito com este comentário. Recarregue a página.");
  }
}

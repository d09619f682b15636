import { Refusal } from "#app/domain/errors.ts";
import { CHAT_CLOSED_TEXTS } from "./rules.ts";
import type { ChatState } from "./rules.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import type { Instant } from "#app/domain/time.ts";

export class ChatNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este chat.");
  }
}

export class ChatNotOpen extends Refusal {
  constructor(state: Exclude<ChatState, "open">) {
    super("forbidden", CHAT_CLOSED_TEXTS[state] ?? "", "text");
  }
}

export class ChatMessageNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta mensagem. Ela pode ter sido apagada.");
  }
}

export class TooManyChatMessages extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você escreveu muitas mensagens seguidas. ${retryAfterText(freeAt)} O seu texto continua aqui.`,
      "text",
    );
  }
}

export class ChatReactionsTooFast extends Refusal {
  constructor() {
    super(
      "limit",
      "Muita gente está reagindo ao mesmo tempo. Espere alguns segundos e reaja de novo.",
    );
  }
}

export class ChatTooFast extends Refusal {
  constructor() {
    super(
      "limit",
      "Muita gente está escrevendo ao mesmo tempo. Espere alguns segundos e envie de novo. O seu texto continua aqui.",
      "text",
    );
  }
}

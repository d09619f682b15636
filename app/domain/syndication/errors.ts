import type { Instant } from "#app/domain/time.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { Refusal } from "#app/domain/errors.ts";

export class NotASubscriber extends Refusal {
  constructor() {
    super("forbidden", "O feed particular é de quem assina. Assine de novo para ter um.");
  }
}

export class TooManyFeeds extends Refusal {
  constructor(freeAt: Instant) {
    super(
      "limit",
      `Você pediu endereços demais em um dia. Use o último. ${retryAfterText(freeAt)}`,
    );
  }
}

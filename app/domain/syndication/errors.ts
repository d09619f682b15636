import { Refusal } from "#app/domain/errors.ts";

export class NotASubscriber extends Refusal {
  constructor() {
    super("forbidden", "O feed particular é de quem assina. Assine de novo para ter um.");
  }
}

export class TooManyFeeds extends Refusal {
  constructor() {
    super("limit", "Você pediu endereços demais hoje. Use o último, ou tente amanhã.");
  }
}

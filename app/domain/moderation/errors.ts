import { Refusal } from "#app/domain/errors.ts";

export class ModeratorRequired extends Refusal {
  constructor() {
    super("forbidden", "Só a moderação pode fazer isto.");
  }
}

export class CannotBanStaff extends Refusal {
  constructor() {
    super("conflict", "Quem modera não é suspenso por aqui.");
  }
}

export class AlreadyBanned extends Refusal {
  constructor() {
    super("conflict", "Esta conta já está suspensa ou não existe mais.");
  }
}

export class NotBanned extends Refusal {
  constructor() {
    super("conflict", "Esta conta não está suspensa.");
  }
}

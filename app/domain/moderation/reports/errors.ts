import { Refusal } from "#app/domain/errors.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import type { ClaimProblem } from "./rules.ts";

export class SubjectNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos o que você quer denunciar. Pode já ter saído do ar.");
  }
}

export class CannotReportOwn extends Refusal {
  constructor() {
    super("conflict", "Isto é seu. Só dá para denunciar o que é de outra pessoa.");
  }
}

export class TooManyReports extends Refusal {
  constructor(freeAt: Instant) {
    super("limit", `Você fez muitas denúncias em um dia. ${retryAfterText(freeAt)}`);
  }
}

export class CaseNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos este caso.");
  }
}

const CLAIM_TEXTS: Record<ClaimProblem, string> = {
  decided: "Este caso já foi decidido. Recarregue a página para ver como.",
  claimed_by_other: "Outra pessoa da moderação assumiu este caso.",
  not_claimed: "Assuma o caso antes de decidir.",
};

/** The claim does not let this moderator act. */
export class CaseNotYours extends Refusal {
  constructor(problem: ClaimProblem) {
    super("conflict", CLAIM_TEXTS[problem]);
  }
}

export class CaseChanged extends Refusal {
  constructor() {
    super(
      "conflict",
      "Este caso mudou enquanto você olhava. Recarregue a página e confira antes de decidir.",
    );
  }
}

/** The moderator reported it. */
export class PartyToCase extends Refusal {
  constructor() {
    super("forbidden", "Você é parte deste caso: outra pessoa da moderação decide.");
  }
}

export class DecisionImpossible extends Refusal {
  constructor() {
    super("conflict", "Isto não pode ser feito com este tipo de conteúdo.", "decision");
  }
}

export class NothingToHide extends Refusal {
  constructor() {
    super("conflict", "Este conteúdo já está escondido ou foi apagado.", "decision");
  }
}

import { Refusal } from "#app/domain/errors.ts";

export type ProviderTransferProblem = "same" | "unknown" | "less" | "taken";

const MOVE_PROBLEMS: Record<ProviderTransferProblem, { field?: string; message: string }> = {
  same: { field: "to", message: "Escolha dois provedores diferentes." },
  unknown: { message: "Um destes provedores não está configurado." },
  less: { field: "amount", message: "É mais do que o livro tem neste provedor." },
  taken: { message: "Esta movimentação já foi anotada com outros dados. Abra a página de novo." },
};

export class ProviderTransferRefused extends Refusal {
  constructor(problem: ProviderTransferProblem) {
    const { field, message } = MOVE_PROBLEMS[problem];
    super(field ? "invalid" : "conflict", message, field);
  }
}

export type PlatformMoneyProblem =
  | "unknown"
  | "less"
  | "own"
  | "future"
  | "far"
  | "taken"
  | "decided"
  | "same_person"
  | "missing"
  | "short"
  | "silent";

const PLATFORM_PROBLEMS: Record<PlatformMoneyProblem, { field?: string; message: string }> = {
  unknown: { field: "provider", message: "Este provedor não está configurado." },
  less: { field: "amount", message: "É mais do que o livro tem neste provedor." },
  own: {
    field: "amount",
    message: "É mais do que é da plataforma. O resto é de quem cria e de quem pagou.",
  },
  future: {
    field: "movedOn",
    message: "Anote depois que o dinheiro entrar: este dia ainda não chegou.",
  },
  far: {
    field: "movedOn",
    message: "Escolha um dia dos últimos 90, ou da próxima semana se for uma retirada.",
  },
  taken: { message: "Isto já foi anotado com outros dados. Abra a página de novo." },
  decided: { message: "Esta retirada já foi decidida. Abra a página de novo." },
  same_person: {
    message: "Quem pede uma retirada não a aprova: outra pessoa da moderação precisa aprovar.",
  },
  missing: { message: "Esta retirada não existe." },
  short: {
    message:
      "Um provedor diz que tem menos do que o livro tem nele, e o que está a caminho não explica. Veja a diferença em Provedores antes de aprovar.",
  },
  silent: { message: "Um provedor não respondeu quanto tem agora. Tente de novo daqui a pouco." },
};

/** Why money of the platform was not recorded, or its withdrawal not decided. */
export class PlatformMoneyRefused extends Refusal {
  constructor(problem: PlatformMoneyProblem) {
    const { field, message } = PLATFORM_PROBLEMS[problem];
    super(
      field
        ? "invalid"
        : problem === "missing"
          ? "not_found"
          : problem === "same_person"
            ? "forbidden"
            : "conflict",
      message,
      field,
    );
  }
}

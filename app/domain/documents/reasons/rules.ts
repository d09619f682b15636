import type { FileKind } from "#app/domain/documents/schema/file-kinds.ts";

/** Identity documents, which expire. */
export const IDENTITY_FILE_KINDS: readonly FileKind[] = [
  "id_front",
  "id_back",
  "passport",
  "id_pdf",
];

type RejectionText = {
  /** For the moderator. */
  label: string;
  /** What the person reads, and what to do. */
  says: string;
  todo: string;
  /** The files to send again. */
  drops: readonly FileKind[];
  /** It does not say whose the tax id is, so the tax id stays reserved for new documents. */
  keepsNumber: boolean;
};

/** Reasons for a rejection, in the text that the person reads. Source: issue 6, "Documents". */
export const REJECTION_REASONS = {
  unreadable: {
    label: "Não dá para ler",
    says: "A foto do documento está escura, cortada ou sem foco.",
    todo: "Tire outra com luz, sem reflexo e com o documento inteiro na foto.",
    drops: IDENTITY_FILE_KINDS,
    keepsNumber: true,
  },
  not_accepted: {
    label: "Documento que não vale",
    says: "Este documento não vale aqui.",
    todo: "Mande RG, CNH ou passaporte.",
    drops: IDENTITY_FILE_KINDS,
    keepsNumber: true,
  },
  expired: {
    label: "Documento vencido",
    says: "O documento está vencido.",
    todo: "Mande um que esteja na validade; o RG também vale.",
    drops: IDENTITY_FILE_KINDS,
    keepsNumber: true,
  },
  name_differs: {
    label: "O nome é outro",
    says: "O nome não é o mesmo do documento.",
    todo: "Escreva o nome completo igual ao do documento.",
    drops: [],
    keepsNumber: true,
  },
  number_differs: {
    label: "O CPF é outro",
    says: "O CPF não é o da pessoa do documento.",
    todo: "Confira o número e mande o seu CPF.",
    drops: [],
    keepsNumber: false,
  },
  number_not_regular: {
    label: "O CPF ou CNPJ não está regular",
    says: "O CPF ou o CNPJ não está regular na Receita Federal.",
    todo: "Veja o que falta no site da Receita Federal, regularize e mande de novo.",
    drops: [],
    keepsNumber: true,
  },
  number_of_another: {
    label: "O número é de outra conta",
    says: "Conferimos os documentos das duas contas, e o CPF ou o CNPJ é de quem mandou os outros.",
    todo: "Com estes dados a sua página não vende nem saca. Mande os seus, com o seu número; se ele é mesmo seu, fale com a gente.",
    drops: [],
    keepsNumber: false,
  },
  birth_date_differs: {
    label: "O nascimento é outro",
    says: "A data de nascimento não é a do documento.",
    todo: "Confira a data, dia, mês e ano.",
    drops: [],
    keepsNumber: true,
  },
  selfie: {
    label: "A selfie não serve",
    says: "A selfie não deixa ver bem o rosto, ou parece de outra pessoa.",
    todo: "Tire outra de frente, sem óculos escuros nem boné, num lugar claro.",
    drops: ["selfie"],
    keepsNumber: true,
  },
  company_card: {
    label: "O cartão CNPJ não serve",
    says: "O cartão CNPJ não é o da empresa, ou ela não está ativa.",
    todo: "Baixe o cartão no site da Receita Federal e mande o PDF.",
    drops: ["company_card"],
    keepsNumber: true,
  },
  not_representative: {
    label: "Não responde pela empresa",
    says: "Não dá para ver que você responde por esta empresa.",
    todo: "Mande os dados de quem é titular, sócio ou administrador dela.",
    drops: [],
    keepsNumber: true,
  },
  underage: {
    label: "Tem menos de 18 anos",
    says: "O documento mostra que você ainda não tem 18 anos, e para vender é preciso ter.",
    todo: "As vendas param, as assinaturas da sua página terminam e o que ainda não saiu volta para quem pagou. Com 18 anos, mande de novo.",
    drops: [],
    keepsNumber: false,
  },
  other: {
    label: "Outro motivo",
    says: "",
    todo: "Corrija e mande de novo.",
    drops: [],
    keepsNumber: true,
  },
} as const satisfies Record<string, RejectionText>;

export type RejectionCode = keyof typeof REJECTION_REASONS;
export const rejectionCodes = Object.keys(REJECTION_REASONS) as [RejectionCode, ...RejectionCode[]];

/**
 * Whether the reason concerns a file. Then an approved seller's new document is rejected alone. The
 * approval lasts until the old one expires. Any other reason revokes the approval. Source:
 * docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export const isFileRejection = (code: RejectionCode): boolean =>
  REJECTION_REASONS[code].drops.length > 0;

/** Formats what the person reads: why, the moderator's note, and what to do. */
export function rejectionText(code: RejectionCode, note: string): string {
  const { says, todo } = REJECTION_REASONS[code];
  return [says, note, todo].filter((part) => part !== "").join(" ");
}

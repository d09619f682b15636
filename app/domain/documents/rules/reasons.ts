import type { FileKind } from "#app/domain/documents/schema.ts";

const IDENTITY: readonly FileKind[] = ["id_front", "id_back", "passport", "id_pdf"];

type Reason = { /** For who decides. */ label: string; /** What the person reads, and what they do about it. */ says: string; todo: string; /** What has to come again. */ drops: readonly FileKind[] };

/** Why documents go back, in the words of who reads them. Source: issue 6, "Documents". */
export const REJECTIONS = {
  unreadable: { label: "Não dá para ler", says: "A foto do documento está escura, cortada ou sem foco.", todo: "Tire outra com luz, sem reflexo e com o documento inteiro na foto.", drops: IDENTITY },
  not_accepted: { label: "Documento que não vale", says: "Este documento não vale aqui.", todo: "Mande RG, CNH ou passaporte.", drops: IDENTITY },
  expired: { label: "Documento vencido", says: "O documento está vencido.", todo: "Mande um que esteja na validade; o RG também vale.", drops: IDENTITY },
  name_differs: { label: "O nome é outro", says: "O nome não é o mesmo do documento.", todo: "Escreva o nome completo igual ao do documento.", drops: [] },
  number_differs: { label: "O CPF é outro", says: "O CPF não é o da pessoa do documento.", todo: "Confira o número e mande o seu CPF.", drops: [] },
  birth_date_differs: { label: "O nascimento é outro", says: "A data de nascimento não é a do documento.", todo: "Confira a data, dia, mês e ano.", drops: [] },
  selfie: { label: "A selfie não serve", says: "A selfie não deixa ver bem o rosto, ou parece de outra pessoa.", todo: "Tire outra de frente, sem óculos escuros nem boné, num lugar claro.", drops: ["selfie"] },
  company_card: { label: "O cartão CNPJ não serve", says: "O cartão CNPJ não é o da empresa, ou ela não está ativa.", todo: "Baixe o cartão no site da Receita Federal e mande o PDF.", drops: ["company_card"] },
  not_representative: { label: "Não responde pela empresa", says: "Não dá para ver que você responde por esta empresa.", todo: "Mande os dados de quem é titular, sócio ou administrador dela.", drops: [] },
  underage: { label: "Tem menos de 18 anos", says: "O documento mostra que você ainda não tem 18 anos, e para vender é preciso ter.", todo: "As vendas param, as assinaturas da sua página terminam e o que ainda não saiu volta para quem pagou. Com 18 anos, mande de novo.", drops: [] },
  other: { label: "Outro motivo", says: "", todo: "Corrija e mande de novo.", drops: [] },
} as const satisfies Record<string, Reason>;

export type RejectionCode = keyof typeof REJECTIONS;
export const rejectionCodes = Object.keys(REJECTIONS) as [RejectionCode, ...RejectionCode[]];

/** The sentences that the person reads: why, what the moderator added, and what to do. */
export function rejectionWords(code: RejectionCode, note: string): string {
  const { says, todo } = REJECTIONS[code];
  return [says, note, todo].filter((sentence) => sentence !== "").join(" ");
}

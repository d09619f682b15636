import { Link } from "react-router";
import type { SellingProblem } from "#app/domain/plans/rules.ts";

const REASONS: Record<SellingProblem | "empty", string> = {
  empty: "Está vazia: com a primeira publicação no ar, passa a ser vendida.",
  documents_missing: "Faltam os documentos de quem vende. Leva um minuto, e a venda abre na hora.",
  documents_rejected:
    "Os documentos de quem vende foram recusados. Corrigidos, a venda abre de novo.",
  documents_contested:
    "O CPF ou CNPJ de quem vende está em outra conta, e a moderação ainda decide de quem é.",
  documents_overdue: "O prazo de 14 dias para aprovar os documentos passou. Fale com a gente.",
  underage: "Para vender no Coreto é preciso ter 18 anos.",
};

/** Tells the author of a priced item why nobody can buy it yet, and what to do. */
export function SellingStopped({ why }: { why: SellingProblem | "empty" }) {
  const isAboutDocuments = why !== "empty" && why !== "underage";
  return (
    <p className="rounded-field bg-attention-soft px-4 py-3 text-small text-attention">
      <strong className="font-semibold">O preço ainda não aparece para ninguém.</strong>{" "}
      {REASONS[why]}{" "}
      {isAboutDocuments ? (
        <Link
          to="/settings/check-documents"
          className="inline-flex font-semibold underline underline-offset-3"
        >
          Ver os documentos
        </Link>
      ) : null}
    </p>
  );
}

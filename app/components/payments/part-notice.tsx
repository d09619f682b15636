import { Link } from "react-router";
import { NO_PART } from "#app/domain/billing/schema.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import type { StatementParts } from "#app/domain/billing/statements/queries/statement.server.ts";
import { quoted } from "#app/domain/text.ts";
import { statementUrl } from "./transaction-filters.tsx";

/** Says of which plan, link or item the payments are, and leads to all. */
export function PartNotice({
  face,
  values,
  parts: { planName, linkName, itemTitle },
}: {
  face: StatementSide;
  values: Record<string, string>;
  parts: StatementParts;
}) {
  const texts = [
    values.plan === NO_PART ? "o que não é de plano nenhum" : null,
    values.plan && values.plan !== NO_PART ? `o plano ${quoted(planName ?? "apagado")}` : null,
    values.link === NO_PART ? "o que não veio de um link seu" : null,
    values.link && values.link !== NO_PART ? `o link ${quoted(linkName ?? values.link)}` : null,
    values.item ? `as vendas de ${quoted(itemTitle ?? "algo apagado")}` : null,
    values.refunds ? "os pagamentos com devolução ou contestação" : null,
  ].filter((text) => text !== null);
  if (texts.length === 0) return null;
  return (
    <p role="status" className="rounded-field bg-sand px-4 py-3">
      {`Só ${texts.join(" e ")}. `}
      <Link
        to={statementUrl(face, { ...values, plan: "", link: "", item: "", refunds: "" })}
        className="font-semibold text-leaf underline underline-offset-4"
      >
        Ver todos os pagamentos
      </Link>
    </p>
  );
}

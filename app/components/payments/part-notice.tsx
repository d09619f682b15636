import { Link } from "react-router";
import { NO_PART } from "#app/domain/billing/schema.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import { quoted } from "#app/domain/text.ts";
import { statementUrl } from "./transaction-filters.tsx";

/** Says of which plan or link the payments are, and leads to all. */
export function PartNotice({
  face,
  values,
  parts: { planName, linkName },
}: {
  face: StatementSide;
  values: Record<string, string>;
  parts: { planName: string | null; linkName: string | null };
}) {
  if (!values.plan && !values.link) return null;
  const texts = [
    values.plan === NO_PART ? "o que não é de plano nenhum" : null,
    values.plan && values.plan !== NO_PART ? `o plano ${quoted(planName ?? "apagado")}` : null,
    values.link === NO_PART ? "o que não veio de um link seu" : null,
    values.link && values.link !== NO_PART ? `o link ${quoted(linkName ?? values.link)}` : null,
  ].filter((text) => text !== null);
  return (
    <p role="status" className="rounded-field bg-sand px-4 py-3">
      {`Só ${texts.join(" e ")}. `}
      <Link
        to={statementUrl(face, { ...values, plan: "", link: "" })}
        className="font-semibold text-leaf underline underline-offset-4"
      >
        Ver todos os pagamentos
      </Link>
    </p>
  );
}

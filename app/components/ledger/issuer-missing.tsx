import { monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";

/**
 * Lists the variables that this worker lacks. The worker that issues invoices has its own variables
 * and reports its own problems.
 */
export function IssuerMissing({
  missing,
  waiting,
}: {
  /** Names of the missing variables. */
  missing: readonly string[];
  /** The months that wait, and the deadline of the first; null while none does. */
  waiting: { first: Month; last: Month; dueOn: string } | null;
}) {
  return (
    <section
      aria-labelledby="issuer-missing"
      className="flex flex-col gap-2 rounded-card bg-attention-soft p-4 sm:p-5"
    >
      <h2 id="issuer-missing" className="font-semibold">
        Falta o cadastro de quem emite as notas
      </h2>
      <p>
        Defina em cada worker: <span className="wrap-anywhere">{missing.join(", ")}</span>. Até lá
        nenhuma nota é numerada e nenhum arquivo é escrito: uma nota não se refaz. Com o cadastro,
        os meses que esperam são escritos, um por vez, em poucos minutos.
      </p>
      <p className="font-medium">
        {waiting === null
          ? "Nenhum mês fechado espera ainda."
          : `${waiting.first === waiting.last ? `Espera ${monthLabel(waiting.first)}` : `Esperam ${monthLabel(waiting.first)} a ${monthLabel(waiting.last)}`}. O último dia para a prefeitura ${waiting.first === waiting.last ? "é" : `do primeiro é`} ${waiting.dueOn}.`}
      </p>
    </section>
  );
}

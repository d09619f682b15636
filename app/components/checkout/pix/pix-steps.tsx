import { useCompany } from "#app/components/shell/company.ts";
import { formatMoney } from "#app/domain/money.ts";

/** Steps in the bank's app for the code above. */
export function PixSteps({ amountCents }: { amountCents: number }) {
  const company = useCompany();
  return (
    <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-small text-muted">
      <li>Abra o app do seu banco e escolha Pix, depois QR code ou Copia e Cola.</li>
      <li>
        Confira o nome <strong>{company.name}</strong>, às vezes abreviado, e o valor de{" "}
        <strong>{formatMoney(amountCents)}</strong>.
      </li>
      <li>Confirme. Esta página muda sozinha, em segundos.</li>
    </ol>
  );
}

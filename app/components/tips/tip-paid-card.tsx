import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";

type TipPaidCardProps = {
  id: string;
  amountCents: number;
  creatorName: string;
  creatorUsername: string;
  creatorPath: string;
};

/** Card of a paid tip: lights a row of flags. */
export function TipPaidCard({
  id,
  amountCents,
  creatorName,
  creatorUsername,
  creatorPath,
}: TipPaidCardProps) {
  return (
    <Card className="overflow-hidden">
      <Bandeirinhas seed={creatorUsername} columns={14} rows={1} lit className="h-12 w-full" />
      <div className="flex flex-col items-start gap-4 p-6">
        <p role="status">
          <Money cents={amountCents} className="font-semibold" /> para {creatorName}, que já recebeu
          o aviso.
        </p>
        <p className="text-muted">
          Nada renova. Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.
        </p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={creatorPath} size="lg">
            Ver a página de {creatorName}
          </ButtonLink>
          <ButtonLink to={`/settings/transactions/${id}`} size="lg" variant="outline">
            Ver este pagamento
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}

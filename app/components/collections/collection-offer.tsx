import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";

/** Price of a collection that is sold as a whole, with a link to buy it. */
export function CollectionOfferCard({
  collectionId,
  priceCents,
  reloadDocument = false,
}: {
  collectionId: string;
  priceCents: number;
  reloadDocument?: boolean;
}) {
  return (
    <Card
      as="section"
      label="Comprar a coleção"
      className="flex flex-wrap items-center justify-between gap-4 p-5"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-col">
        <Money cents={priceCents} size="large" />
        <p className="text-small text-muted">
          Paga uma vez. Abre tudo o que está aqui e o que entrar depois.
        </p>
      </div>
      <ButtonLink
        to={useMarkedPath()(`/checkout?collection=${collectionId}`)}
        reloadDocument={reloadDocument}
        size="lg"
      >
        Comprar a coleção
      </ButtonLink>
    </Card>
  );
}

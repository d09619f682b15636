import { Form } from "react-router";
import { Figure, Figures } from "#app/components/analytics/figures.tsx";
import { countText } from "#app/components/analytics/format.ts";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { salesPath } from "#app/components/analytics/sales-path.ts";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { LinkCard } from "#app/components/ui/links/link-card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { INVITATION_SLUG, withLinkMark } from "#app/lib/link-mark.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/link.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.link.name ?? "Link"} · Números · Coreto` },
];

const NOT_FOUND = "Não encontramos este link.";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const asked = foundOr404(await loadNumbers({ context, request }), NOT_FOUND);
  const { ctx, creatorId, parsed, money, username, mayEdit } = asked;
  const [found] = await countedLinks(ctx, { creatorId, range: parsed.range, slug: params.slug });
  const link = foundOr404(found ?? null, NOT_FOUND);
  const url = ctx.settings.appOrigin + withLinkMark(spaceAddress(username), link.slug);
  return {
    parsed,
    mayMoney: money,
    mayEdit: mayEdit && link.slug !== INVITATION_SLUG,
    url,
    qr: qrDrawing(url),
    link: money ? link : { ...link, netCents: 0 },
  };
}

export default function AnalyticsLink({ loaderData: shown }: Route.ComponentProps) {
  const { link, parsed, url, qr } = shown;
  const isArchived = link.archivedAt !== null;
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title={link.name}
        lead={
          isArchived
            ? "Arquivado: o endereço ainda abre a sua página, mas não conta mais nada."
            : "Um link para a sua página, e o que ele trouxe."
        }
      >
        <ButtonLink to={`/analytics/links${rangeQuery(parsed.range)}`} variant="outline" size="sm">
          Todos os links
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <LinkCard
          label="Endereço do link"
          url={url}
          qr={qr}
          qrLabel="QR code do link"
          copyLabel="Copiar o link"
        />
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <Brought {...shown} />
        {shown.mayEdit ? (
          <Form
            method="post"
            action={`/analytics/links/${link.slug}/archive`}
            className="self-start print:hidden"
          >
            <ActingField />
            <input type="hidden" name="archived" value={String(!isArchived)} />
            <Button variant="outline">{isArchived ? "Contar de novo" : "Arquivar link"}</Button>
          </Form>
        ) : null}
      </div>
    </div>
  );
}

type Shown = Route.ComponentProps["loaderData"];

function Brought({ link, mayMoney, parsed }: Shown) {
  return (
    <Figures>
      <Figure name="Visitantes" value={countText(link.visitors)}>
        Pessoas diferentes de cada dia que chegaram por este link, somadas.
      </Figure>
      <Figure name="Seguidores" value={countText(link.follows)}>
        Chegaram por ele e seguem a sua página.
      </Figure>
      <Figure name="Assinaturas" value={countText(link.starts)}>
        Chegaram por ele, assinaram e pagaram pela primeira vez nestes dias.
      </Figure>
      <Figure name="Vendas avulsas" value={countText(link.sales)}>
        Publicações, coleções, ingressos, apoios e presentes pagos nestes dias por quem chegou por
        ele.
      </Figure>
      {mayMoney ? (
        <Figure
          name="Líquido"
          value={<Money cents={link.netCents} isTotal />}
          to={salesPath(parsed.range, { link: link.slug })}
        >
          O que ficou para você destas vendas e assinaturas, com as renovações.
        </Figure>
      ) : null}
    </Figures>
  );
}

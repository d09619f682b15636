import { METHODS_IN_TEXT } from "#app/domain/payments/methods/rules.ts";
import { Closing } from "#app/components/front-door/closing.tsx";
import { CreatorsOnString } from "#app/components/front-door/creators-on-string.tsx";
import { EarningsCalculator } from "#app/components/front-door/earnings-calculator.tsx";
import { FansCorner } from "#app/components/front-door/fans-corner.tsx";
import { Hero } from "#app/components/front-door/hero.tsx";
import { Questions } from "#app/components/front-door/questions.tsx";
import { OwnReasons, PixReasons } from "#app/components/front-door/reasons.tsx";
import { WholePrice } from "#app/components/front-door/whole-price.tsx";
import { formatPercent } from "#app/domain/money.ts";
import { earningsDays, readEarningsForm } from "#app/domain/plans/rules/earnings.ts";
import { creatorsStatement } from "#app/domain/profiles/queries/creators.server.ts";
import { creatorsForFront } from "#app/domain/profiles/rules/front.ts";
import { domainContext } from "#app/http/contexts.ts";
import { enforceVisitorSearchLimit } from "#app/http/limits/search-limit.ts";
import { hasTypedQuery } from "#app/http/public-pages/visitor-pages.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { EARNINGS_SCRIPT } from "#app/http/earnings-script.ts";
import { homeMeta } from "#app/http/public-pages/product-meta.ts";
import { notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/home.ts";

const CANDIDATES = 40;
const CREATORS_SHOWN = 6;
const WHOLE_BASIS_POINTS = 10_000;

/** Loads `/` as a visitor sees it. Reads no session, so that the edge can cache it. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  // A typed number makes a page that the edge does not cache: it counts as a search does.
  const typed = hasTypedQuery("/public", url.searchParams) ? "typed" : "";
  await throwRefusals(() => enforceVisitorSearchLimit(context, { request, query: typed }));
  const { feeBasisPoints, appOrigin } = ctx.settings;
  const found = await creatorsStatement(ctx, { viewerId: null, cursor: null, limit: CANDIDATES });
  return {
    creators: creatorsForFront(found, CREATORS_SHOWN),
    form: readEarningsForm(url.searchParams),
    days: earningsDays(ctx.now()),
    feeBasisPoints,
    creatorPercent: formatPercent(WHOLE_BASIS_POINTS - feeBasisPoints),
    origin: appOrigin,
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? homeMeta({
        origin: loaderData.origin,
        description: `Publique textos, fotos, vídeos e áudios. Quem gosta assina por ${METHODS_IN_TEXT}, e ${loaderData.creatorPercent} de cada pagamento é seu. Sem mensalidade.`,
      })
    : notFoundMeta("Coreto");

export default function PublicHome({ loaderData }: Route.ComponentProps) {
  const { creators, form, days, feeBasisPoints, creatorPercent } = loaderData;
  return (
    <>
      <Hero creatorPercent={creatorPercent} />
      <CreatorsOnString creators={creators} />
      <EarningsCalculator form={form} days={days} feeBasisPoints={feeBasisPoints} />
      <WholePrice feeBasisPoints={feeBasisPoints} />
      <PixReasons />
      <OwnReasons />
      <FansCorner />
      <Questions feeBasisPoints={feeBasisPoints} />
      <Closing />
      <script dangerouslySetInnerHTML={{ __html: EARNINGS_SCRIPT }} />
    </>
  );
}

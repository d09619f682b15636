import { quoted } from "#app/domain/text.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import type { ExploreFilter, FoundCreator } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS } from "#app/domain/profiles/rules/categories.ts";
import { exploreUrl, FilterLinks } from "./filters.tsx";

/** The search as it may have been meant. */
export function Suggestion({ asked, suggestion }: { asked: ExploreFilter; suggestion: string }) {
  return (
    <p className="wrap-anywhere">
      Você quis dizer{" "}
      <Link
        to={exploreUrl(asked, { q: suggestion })}
        className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
      >
        {suggestion}
      </Link>
      ?
    </p>
  );
}

/** Chooses between people and posts of a search. */
export function ShowTabs({ asked }: { asked: ExploreFilter }) {
  const tab = (show: ExploreFilter["show"], label: string) => ({
    to: exploreUrl(asked, { show }),
    label,
    isChosen: asked.show === show,
  });
  return (
    <FilterLinks
      label="O que procurar"
      chips={[tab("all", "Tudo"), tab("people", "Pessoas"), tab("posts", "Publicações")]}
    />
  );
}

/** Chooses the order of the posts. */
export function SortTabs({ asked }: { asked: ExploreFilter }) {
  const tab = (sort: ExploreFilter["sort"], label: string) => ({
    to: exploreUrl(asked, { sort }),
    label,
    isChosen: asked.sort === sort,
  });
  return (
    <FilterLinks
      label="Ordem das publicações"
      chips={[tab("rising", "Em alta"), tab("new", "Novas")]}
    />
  );
}

/** Link to all people of a list that shows its first ones. */
export function AllPeople({ asked }: { asked: ExploreFilter }) {
  return (
    <Link
      to={exploreUrl(asked, { show: "people" })}
      className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
    >
      Ver todas as pessoas
    </Link>
  );
}

/**
 * On a phone the people are a horizontal strip, so that the posts are not far below. On a wide
 * screen they stand beside the posts.
 */
const STRIP =
  "lg:grid-cols-1 max-sm:-mx-4 max-sm:flex max-sm:overflow-x-auto max-sm:px-4 max-sm:*:w-60 max-sm:*:shrink-0";

/** People of a list, each as `card` shows them. */
export function People({
  title,
  people,
  isStrip,
  card,
  children = null,
}: {
  title: string;
  people: FoundCreator[];
  isStrip: boolean;
  card: (creator: FoundCreator) => ReactNode;
  children?: ReactNode;
}) {
  if (people.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-heading wrap-anywhere">{title}</h2>
      <ul
        className={`grid grid-cols-1 gap-4 sm:grid-cols-3 ${isStrip ? STRIP : "min-[26rem]:grid-cols-2 lg:grid-cols-4"}`}
      >
        {people.map(card)}
      </ul>
      {children}
    </section>
  );
}

/** Shown for a search that found nothing. */
export function NothingFound({ asked }: { asked: ExploreFilter }) {
  const hasFilter = asked.category !== null || asked.kind !== null || asked.show !== "all";
  return (
    <div className="lg:col-span-2">
      <EmptyState
        title={`Nada com ${quoted(asked.q)}`}
        action={
          <>
            {hasFilter ? (
              <ButtonLink to={exploreUrl(asked, { category: null, kind: null, show: "all" })}>
                Procurar em tudo
              </ButtonLink>
            ) : null}
            <ButtonLink to="/explore" variant="outline">
              Ver quem está na praça
            </ButtonLink>
          </>
        }
      >
        Confira a ortografia, ou procure pelo que a pessoa faz.
      </EmptyState>
    </div>
  );
}

/** Shown in place of the posts of a filter that has none. */
export function NoPosts({ asked }: { asked: ExploreFilter }) {
  if (asked.cursor !== null) return <p className="text-muted">Não há mais publicações.</p>;
  if (asked.q !== "")
    return <p className="text-muted">Nenhuma publicação com {quoted(asked.q)}.</p>;
  if (asked.sort === "rising") {
    return (
      <EmptyState
        title="Nada em alta por aqui"
        action={<ButtonLink to={exploreUrl(asked, { sort: "new" })}>Ver as novas</ButtonLink>}
      >
        O que as pessoas curtirem e comentarem aparece aqui primeiro.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Ainda não há publicações assim"
      action={<ButtonLink to="/explore?sort=new">Ver todas as novas</ButtonLink>}
    >
      Ninguém publicou isto para todo mundo ainda.
    </EmptyState>
  );
}

/** Title of the people beside the posts. */
export function peopleTitle({ q, category }: ExploreFilter): string {
  if (q !== "") return `Pessoas com ${quoted(q)}`;
  return category ? `Quem faz: ${CATEGORY_LABELS[category]}` : "Quem está na praça";
}

/** Title of people with similar names. */
export const nearTitle = (found: number): string =>
  found > 0 ? "Nomes parecidos" : "Você quis dizer…";

import { Search } from "lucide-react";
import { Form, Link } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import {
  explorePath,
  POST_KIND_LABELS,
  postKinds,
  QUERY_MAX,
} from "#app/domain/discovery/schema.ts";
import type { ExploreFilter } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS, creatorCategories } from "#app/domain/profiles/rules/categories.ts";

/** URL of `/explore` with the changed filters; a change returns to the first page. */
export function exploreUrl(asked: ExploreFilter, change: Partial<ExploreFilter> = {}): string {
  const wanted = { ...asked, ...change };
  const { q, category, sort, show } = wanted;
  const parameters = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(category ? { category } : {}),
    ...(sort === "rising" ? {} : { sort }),
    ...(show === "posts" ? { show } : {}),
  });
  const text = parameters.toString();
  return explorePath(wanted) + (text === "" ? "" : `?${text}`);
}

/** URL of further posts of the same page. */
export function explorePostsUrl({ q, category, kind, sort }: ExploreFilter): string {
  const parameters = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(category ? { category } : {}),
    ...(kind ? { kind } : {}),
    ...(sort === "rising" ? {} : { sort }),
  });
  return `/resources/explore?${parameters}`;
}

/** Search form that keeps the chosen page and filters. */
export function SearchForm({ asked }: { asked: ExploreFilter }) {
  return (
    <Form method="get" action={explorePath(asked)} role="search" className="flex gap-2">
      <label htmlFor="q" className="sr-only">
        Procurar pessoas e publicações
      </label>
      <div className="relative flex-1">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-4 my-auto size-5 text-muted"
        />
        <input
          id="q"
          name="q"
          type="search"
          key={asked.q}
          defaultValue={asked.q}
          maxLength={QUERY_MAX}
          placeholder="Nome ou assunto"
          className="min-h-12 w-full rounded-full border border-edge bg-card pr-4 pl-12 placeholder:text-muted"
        />
      </div>
      {asked.category ? <input type="hidden" name="category" value={asked.category} /> : null}
      <Button variant="outline" size="lg">
        Procurar
      </Button>
    </Form>
  );
}

type Chip = { to: string; label: string; isChosen: boolean };

/** Category filters as links: they need no JavaScript, can be shared and take keyboard focus. */
export function CategoryFilter({ asked }: { asked: ExploreFilter }) {
  const categories = creatorCategories.map((category) => ({
    to: exploreUrl(asked, { category }),
    label: CATEGORY_LABELS[category],
    isChosen: asked.category === category,
  }));
  return (
    <Chips
      label="Assunto"
      chips={[
        {
          to: exploreUrl(asked, { category: null }),
          label: "Todos os assuntos",
          isChosen: asked.category === null,
        },
        ...categories,
      ]}
    />
  );
}

export function KindFilter({ asked }: { asked: ExploreFilter }) {
  const kinds = postKinds.map((kind) => ({
    to: exploreUrl(asked, { kind }),
    label: POST_KIND_LABELS[kind],
    isChosen: asked.kind === kind,
  }));
  return (
    <Chips
      label="Tipo de publicação"
      chips={[
        {
          to: exploreUrl(asked, { kind: null }),
          label: "De todo tipo",
          isChosen: asked.kind === null,
        },
        ...kinds,
      ]}
    />
  );
}

/**
 * Filter links of which one is chosen, for one page with different parameters. `Tabs` links
 * different pages.
 */
export function FilterLinks({ label, chips }: { label: string; chips: Chip[] }) {
  return (
    <nav aria-label={label}>
      <ul className="flex gap-1 border-b border-line">
        {chips.map(({ to, label: chipLabel, isChosen }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={isChosen ? "true" : undefined}
              preventScrollReset
              className={`inline-flex min-h-11 items-center border-b-2 px-3 whitespace-nowrap ${isChosen ? "border-leaf font-semibold text-ink" : "border-transparent text-muted hover:text-ink"}`}
            >
              {chipLabel}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Chips({ label, chips }: { label: string; chips: Chip[] }) {
  return (
    <nav
      aria-label={label}
      className="-mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      <ul className="flex w-max gap-2 py-1">
        {chips.map(({ to, label: chipLabel, isChosen }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={isChosen ? "true" : undefined}
              preventScrollReset
              className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold whitespace-nowrap ${isChosen ? "border-ink bg-ink text-paper" : "border-line bg-card hover:border-edge"}`}
            >
              {chipLabel}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

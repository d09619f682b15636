import { Search } from "lucide-react";
import { Button } from "#app/components/ui/button.tsx";
import { QUERY_MAX } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS, creatorCategories } from "#app/domain/profiles/rules/categories.ts";

/** For who came to listen: a search and the subjects. */
export function FansCorner() {
  return (
    <section aria-labelledby="ouvir" className="mt-20 bg-signal-soft py-16 sm:mt-28 sm:py-20">
      <div className="mx-auto grid w-full max-w-[1112px] grid-cols-[minmax(0,1fr)] gap-8 px-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-16">
        <div>
          <h2
            id="ouvir"
            className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em]"
          >
            Veio só ouvir?
          </h2>
          <p className="mt-3 text-[1.0625rem] leading-7">
            Ache quem faz aquilo de que você gosta. Muita coisa é aberta, e ver não pede conta.
          </p>
        </div>
        <div className="flex flex-col gap-5">
          <form method="get" action="/explore" role="search" className="flex flex-wrap gap-2">
            <label htmlFor="procura" className="sr-only">
              Procurar pessoas e publicações
            </label>
            <div className="relative min-w-64 flex-1">
              <Search
                aria-hidden="true"
                className="pointer-events-none absolute inset-y-0 left-5 my-auto size-5 text-muted"
              />
              <input
                id="procura"
                name="q"
                type="search"
                maxLength={QUERY_MAX}
                placeholder="Nome ou assunto"
                className="min-h-14 w-full rounded-full border border-edge bg-card pr-5 pl-13 text-[1.0625rem] placeholder:text-muted"
              />
            </div>
            <Button variant="ink" size="lg" className="min-h-14 flex-auto sm:flex-none">
              Procurar
            </Button>
          </form>
          <ul aria-label="Assuntos" className="flex flex-wrap gap-2">
            {creatorCategories.map((category) => (
              <li key={category}>
                <a
                  href={`/explore?category=${category}`}
                  className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-small font-semibold hover:border-edge"
                >
                  {CATEGORY_LABELS[category]}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

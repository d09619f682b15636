import { Search } from "lucide-react";
import { ACCOUNT_GROUPS } from "#app/components/help/account.ts";
import { creatorGroups } from "#app/components/help/creators.ts";
import { FAN_GROUPS } from "#app/components/help/fans.ts";
import type { HelpAnswer, HelpGroup } from "#app/components/help/schema.ts";
import { searchHelp } from "#app/components/help/search.ts";
import { useCompany } from "#app/components/shell/company.ts";
import { Button } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { QUERY_MAX } from "#app/domain/discovery/schema.ts";
import { quoted } from "#app/domain/text.ts";
import { domainContext } from "#app/http/contexts.ts";
import { helpMeta } from "#app/http/public-pages/product-meta.ts";
import { notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/help.ts";

/** Reads no table: the answers are part of the product, and state its own settings. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { appOrigin, feeBasisPoints } = context.get(domainContext).settings;
  const query = (url.searchParams.get("q") ?? "").trim().slice(0, QUERY_MAX);
  const all = [...FAN_GROUPS, ...creatorGroups(feeBasisPoints), ...ACCOUNT_GROUPS];
  return { origin: appOrigin, query, groups: searchHelp(all, query) };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? helpMeta({
        ...loaderData,
        questions: loaderData.groups.flatMap(({ answers }) => answers),
      })
    : notFoundMeta("Ajuda");

export default function Help({ loaderData: { query, groups } }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-[1112px] px-4 pt-8 sm:pt-12">
      <h1 className="text-[2.5rem] leading-[1] tracking-[-0.035em] sm:text-[4rem]">Ajuda</h1>
      <p className="mt-3 max-w-xl text-[1.0625rem] leading-7 text-muted">
        Respostas curtas. Procure por uma palavra, ou desça até o assunto.
      </p>
      <SearchForm query={query} />
      {groups.length === 0 ? (
        <div className="mt-8 max-w-2xl">
          <EmptyState title={`Nada com ${quoted(query)}`}>
            Tente outra palavra, ou <a href="/ajuda">veja todas as respostas</a>.
          </EmptyState>
        </div>
      ) : (
        <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-16">
          <Subjects groups={groups} />
          <div className="flex flex-col gap-14">
            {groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
          </div>
        </div>
      )}
      <Contact />
    </div>
  );
}

function SearchForm({ query }: { query: string }) {
  return (
    <form method="get" action="/ajuda" role="search" className="mt-6 flex max-w-2xl gap-2">
      <label htmlFor="q" className="sr-only">
        Procurar na ajuda
      </label>
      <div className="relative min-w-0 flex-1">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-4 my-auto size-5 text-muted"
        />
        <input
          id="q"
          name="q"
          type="search"
          defaultValue={query}
          maxLength={QUERY_MAX}
          placeholder="Pix, reembolso, saque…"
          className="min-h-12 w-full rounded-full border border-edge bg-card pr-4 pl-12 placeholder:text-muted"
        />
      </div>
      <Button variant="ink" size="lg">
        Procurar
      </Button>
    </form>
  );
}

function Subjects({ groups }: { groups: readonly HelpGroup[] }) {
  return (
    <nav aria-label="Assuntos da ajuda" className="lg:sticky lg:top-8 lg:self-start">
      <ul className="flex flex-wrap gap-2 lg:flex-col lg:gap-0">
        {groups.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-small font-semibold hover:border-edge lg:border-0 lg:bg-transparent lg:px-0 lg:text-body lg:hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Group({ group: { id, title, answers } }: { group: HelpGroup }) {
  return (
    <section id={id} aria-labelledby={`${id}-titulo`} className="scroll-mt-8">
      <h2 id={`${id}-titulo`} className="text-title">
        {title}
      </h2>
      <div className="mt-4 flex flex-col divide-y divide-line border-y border-line">
        {answers.map((answer) => (
          <Answer key={answer.id} answer={answer} />
        ))}
      </div>
    </section>
  );
}

function Answer({ answer: { id, asked, text, link } }: { answer: HelpAnswer }) {
  return (
    <article id={id} className="scroll-mt-4 py-6 target:-mx-4 target:bg-signal-soft target:px-4">
      <h3 className="text-[1.125rem] leading-6">
        <a href={`#${id}`} className="hover:underline">
          {asked}
        </a>
      </h3>
      <p className="mt-2 max-w-2xl">{text}</p>
      {link ? (
        <a
          href={link.to}
          className="mt-1 inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          {link.label}
        </a>
      ) : null}
    </article>
  );
}

function Contact() {
  const { email } = useCompany();
  return (
    <section aria-labelledby="falar" className="mt-14 rounded-card bg-sand p-6 sm:p-8">
      <h2 id="falar" className="text-heading">
        Não achou?
      </h2>
      <p className="mt-1">
        Escreva para{" "}
        <a href={`mailto:${email}`} className="text-leaf underline underline-offset-2">
          {email}
        </a>
        . Respondemos em até 5 dias.
      </p>
    </section>
  );
}

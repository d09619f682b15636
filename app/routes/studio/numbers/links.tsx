import { Form, Link, useNavigation } from "react-router";
import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { countText } from "#app/components/analytics/format.ts";
import { NoSpaceYet } from "#app/components/analytics/no-space-yet.tsx";
import { RangePicker, rangeQuery, RangeText } from "#app/components/analytics/range-picker.tsx";
import { salesPath } from "#app/components/analytics/sales-path.ts";
import { ChartSection } from "#app/components/analytics/chart-section.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, Td } from "#app/components/ui/table.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { createLink } from "#app/domain/analytics/links/commands.server.ts";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import { linkSchema } from "#app/domain/analytics/links/schema.ts";
import type { CountedLink } from "#app/domain/analytics/links/schema.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { withLinkMark } from "#app/lib/link-mark.ts";
import { loadNumbers } from "./load-numbers.server.ts";
import type { Route } from "./+types/links.ts";

export const meta: Route.MetaFunction = () => [{ title: "Links · Números · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const asked = await loadNumbers({ context, request });
  if (asked === null) return null;
  const { ctx, creatorId, parsed, money, username, mayEdit } = asked;
  const links = await countedLinks(ctx, { creatorId, range: parsed.range });
  return {
    parsed,
    mayMoney: money,
    mayEdit,
    page: ctx.settings.appOrigin + spaceAddress(username),
    links: links.map((link) => (money ? link : { ...link, netCents: 0 })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "posts:publish",
    linkSchema,
    async (link, actor) => {
      await createLink(context.get(domainContext), {
        ...link,
        creatorId: actor.space.personId,
      });
      return await redirectWithToast(request, `/analytics/links/${link.slug}`, {
        kind: "success",
        message: `Link ${link.name} criado. Já conta.`,
      });
    },
  );
}

export default function AnalyticsLinks({ loaderData: shown, actionData }: Route.ComponentProps) {
  if (shown === null) return <NoSpaceYet />;
  const { parsed } = shown;
  const query = rangeQuery(parsed.range);
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title="Links"
        lead="Um link para cada lugar onde você divulga a sua página, para saber o que cada um trouxe."
      />
      <div className="flex flex-col gap-6">
        <AnalyticsTabs query={query} money={shown.mayMoney} />
        {shown.mayEdit ? <NewLink page={shown.page} problem={actionData} /> : null}
        <RangePicker {...parsed} />
        <RangeText range={parsed.range} />
        <Links {...shown} range={parsed.range} query={query} />
      </div>
    </div>
  );
}

function NewLink({ page, problem }: { page: string; problem: FormProblem | undefined }) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <Card as="section" label="Novo link" className="p-5 sm:p-6 print:hidden">
      <Form method="post" className="flex flex-col gap-4" noValidate>
        <ActingField />
        <FormMessage message={problem?.message} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Nome do link"
            name="name"
            defaultValue={values.name}
            error={errors.name}
            required
            autoComplete="off"
            limit={60}
            placeholder="Bio do Instagram"
            hint="Só você vê."
          />
          <TextField
            label="Fim do endereço"
            name="slug"
            defaultValue={values.slug}
            error={errors.slug}
            required={false}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            limit={40}
            placeholder="bio-do-instagram"
            hint={`Em branco, sai do nome. Fica ${withLinkMark(page, "bio")}. Depois não muda.`}
          />
        </div>
        <Button disabled={isBusy} className="self-start">
          Criar link
        </Button>
      </Form>
    </Card>
  );
}

function Links({
  links,
  page,
  range,
  query,
  mayMoney,
}: {
  links: CountedLink[];
  page: string;
  range: AnalyticsRange;
  query: string;
  mayMoney: boolean;
}) {
  return (
    <ChartSection
      id="seus-links"
      title="O que cada link trouxe"
      csv={`/analytics/files/divulgacao.csv${query}`}
      note="Visitantes chegaram pelo link; seguidores, assinaturas e vendas avulsas são de quem chegou por ele e seguiu, assinou ou comprou a partir dali, também por uma publicação da página. Nada fica guardado no navegador de ninguém: o link vai no endereço."
      columns={[
        { title: "Link" },
        { title: "Visitantes", numeric: true },
        { title: "Seguidores", numeric: true },
        { title: "Assinaturas", numeric: true },
        { title: "Vendas avulsas", numeric: true },
        ...(mayMoney ? [{ title: "Líquido", numeric: true }] : []),
      ]}
    >
      <tbody>
        {links.map((link) => (
          <tr key={link.slug}>
            <Td className="min-w-44 wrap-anywhere">
              <Link
                to={`/analytics/links/${link.slug}${query}`}
                className="font-semibold hover:underline"
              >
                {link.name}
              </Link>
              {link.archivedAt === null ? null : (
                <span className="text-caption text-muted"> · arquivado</span>
              )}
              <span className="block text-caption text-muted">
                {withLinkMark(page, link.slug).replace(/^https?:\/\//, "")}
              </span>
            </Td>
            <Td numeric>{countText(link.visitors)}</Td>
            <Td numeric>{countText(link.follows)}</Td>
            <Td numeric>{countText(link.starts)}</Td>
            <Td numeric>{countText(link.sales)}</Td>
            {mayMoney ? (
              <MoneyTd to={salesPath(range, { link: link.slug })} cents={link.netCents} tone="in" />
            ) : null}
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

import { Form, Link } from "react-router";
import type { ReactNode } from "react";
import { AccountLinks } from "#app/components/account/account-links.tsx";
import { EmailSection, PasswordSection } from "#app/components/account/sign-in-sections.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { personSince } from "#app/domain/identity/queries.server.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { ownSignIn } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { endOtherSessions, openSessions } from "#app/http/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/account.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conta · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { id, email, username, name } = context.get(memberContext);
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  const [since, sessions, signIn] = await Promise.all([personSince(asked.ctx, { personId: id }), openSessions(asked), ownSignIn(asked)]);
  return { email, username, name, since, sessions, signIn };
}

/** Ends every other session. */
export async function action({ request, context }: Route.ActionArgs) {
  await endOtherSessions({ env: context.get(cloudflareContext).env, request });
  return redirectWithToast(request, "/auth/account", { kind: "success", message: "As outras sessões foram encerradas." });
}

export default function Account({ loaderData: { email, username, name, since, sessions, signIn } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Conta" lead="Como você entra no Coreto, e onde." />
      <div className="flex flex-col gap-4">
        <Card as="section" label="Dados da conta" className="px-5 py-2">
          <dl className="flex flex-col divide-y divide-line">
            <Fact name="Nome">{name}</Fact>
            <Fact name="Nome de usuário">
              <Link to={`/space/${username}/public`} reloadDocument className="underline underline-offset-2">
                @{username}
              </Link>
            </Fact>
            {signIn === null ? <Fact name="E-mail">{email}</Fact> : null}
            {since === null ? null : <Fact name="No Coreto desde">{formatDay(since)}</Fact>}
          </dl>
        </Card>
        {signIn === null ? null : (
          <>
            <EmailSection state={signIn} />
            <PasswordSection />
          </>
        )}
        <Card as="section" label="Sessões abertas">
          <h2 className="text-heading">Sessões abertas</h2>
          <ul className="mt-2 flex flex-col divide-y divide-line">
            {sessions.map((open) => (
              <li key={open.id} className="flex flex-wrap items-center justify-between gap-2 py-3">
                <span>
                  <span className="block font-semibold">{open.device}</span>
                  <span className="block text-small text-muted">Entrou em {formatMinute(open.createdAt)}</span>
                </span>
                {open.isCurrent ? <Badge tone="good">Esta sessão</Badge> : <EndLink sessionId={open.id} />}
              </li>
            ))}
          </ul>
          {sessions.length > 1 ? (
            <Form method="post" className="mt-3">
              <Button variant="outline">Encerrar as outras sessões</Button>
            </Form>
          ) : null}
        </Card>
        <AccountLinks />
        <form method="post" action="/auth/logout" className="lg:hidden">
          <Button variant="outline" className="w-full">
            Sair
          </Button>
        </form>
      </div>
    </>
  );
}

function EndLink({ sessionId }: { sessionId: string }) {
  return (
    <ButtonLink to={`/auth/account/sessions/${sessionId}/end`} variant="outline" size="sm">
      Encerrar
    </ButtonLink>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

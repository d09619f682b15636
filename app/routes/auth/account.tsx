import { data, Form, Link } from "react-router";
import type { ReactNode } from "react";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { AccountLinks, DeleteAccountLink } from "#app/components/account/account-links.tsx";
import { ClerkAccount } from "#app/components/clerk/clerk-account.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { memberSince } from "#app/domain/identity/queries.server.ts";
import { removeDevicesOfSessions } from "#app/domain/notifications/commands/devices.server.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { primarySignInEmail } from "#app/http/identity/account.server.ts";
import { clerkSettings } from "#app/lib/clerk.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import {
  currentSessionId,
  endOtherSessions,
  openSessions,
} from "#app/http/identity/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/account.ts";

export const meta: Route.MetaFunction = () => [{ title: "Acesso e segurança · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const clerk = clerkSettings(context.get(cloudflareContext).env);
  if (clerk) return { clerk };
  // Only Clerk's own screen has pages below this one.
  if (params["*"]) throw data(null, { status: 404 });
  const { id, email, username, name } = context.get(memberContext);
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const [since, sessions, signIn] = await Promise.all([
    memberSince(asked.ctx, { personId: id }),
    openSessions(asked),
    primarySignInEmail(asked),
  ]);
  return { clerk: null, email, username, name, since, sessions, signIn };
}

/** Ends every other session. */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, request };
  const exceptId = await currentSessionId(asked);
  await endOtherSessions(asked);
  await removeDevicesOfSessions(context.get(domainContext), {
    personId: context.get(memberContext).id,
    exceptId,
  });
  return redirectWithToast(request, "/auth/account", {
    kind: "success",
    message: "As outras sessões foram encerradas.",
  });
}

export default function Account({ loaderData }: Route.ComponentProps) {
  return loaderData.clerk ? (
    <ClerkAccount publishableKey={loaderData.clerk.publishableKey} />
  ) : (
    <OwnAccount {...loaderData} />
  );
}

type OwnAccountProps = Extract<Route.ComponentProps["loaderData"], { clerk: null }>;

function OwnAccount({ email, username, name, since, sessions, signIn }: OwnAccountProps) {
  return (
    <>
      <AccountCrumb to="/settings">Ajustes</AccountCrumb>
      <PageHeader title="Acesso e segurança" lead="Como você entra no Coreto, e onde." />
      <div className="flex flex-col gap-4">
        <Card as="section" label="Dados da conta" className="px-5 py-2">
          <dl className="flex flex-col divide-y divide-line">
            <Fact name="Nome">{name}</Fact>
            <Fact name="Nome de usuário">
              <Link
                to={`/space/${username}/public`}
                reloadDocument
                className="underline underline-offset-2"
              >
                @{username}
              </Link>
            </Fact>
            <Fact name="E-mail">
              <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
                {email}
                {signIn?.isEmailVerified === false ? (
                  <Badge tone="attention">Falta confirmar</Badge>
                ) : null}
              </span>
            </Fact>
            {since === null ? null : <Fact name="No Coreto desde">{formatDay(since)}</Fact>}
          </dl>
        </Card>
        <AccountLinks isOwnIdentity={signIn !== null} />
        <Card as="section" label="Sessões abertas">
          <h2 className="text-heading">Sessões abertas</h2>
          <ul className="mt-2 flex flex-col divide-y divide-line">
            {sessions.map((open) => (
              <li key={open.id} className="flex flex-wrap items-center justify-between gap-2 py-3">
                <span>
                  <span className="block font-semibold">{open.device}</span>
                  <span className="block text-small text-muted">
                    Entrou em {formatMinute(open.createdAt)}
                  </span>
                </span>
                {open.isCurrent ? (
                  <Badge tone="good">Esta sessão</Badge>
                ) : (
                  <EndLink sessionId={open.id} />
                )}
              </li>
            ))}
          </ul>
          {sessions.length > 1 ? (
            <Form method="post" className="mt-3">
              <Button variant="outline">Encerrar as outras sessões</Button>
            </Form>
          ) : null}
        </Card>
        <DeleteAccountLink />
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

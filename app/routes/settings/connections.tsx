import type { ReactNode } from "react";
import { AppsWithAccess } from "#app/components/account/api-keys/apps-with-access.tsx";
import { ExternalAccountList } from "#app/components/account/external-accounts/external-accounts.tsx";
import {
  ConnectionList,
  CONNECTION_REMOVALS,
  UndoCard,
} from "#app/components/profiles/connection-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { apiKeysPage } from "#app/domain/identity/api-keys/queries.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { personByUsername } from "#app/domain/profiles/queries.server.ts";
import {
  blockedPeople,
  followedPeople,
  mutedPeople,
} from "#app/domain/profiles/queries/connections.server.ts";
import type { ConnectionRow } from "#app/domain/profiles/queries/connections.server.ts";
import { formatDay } from "#app/domain/time.ts";
import type { Page } from "#app/domain/page.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { externalProviderOptions } from "#app/http/identity/external-providers.ts";
import { externalProviderName } from "#app/http/identity/external-account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { apiKeyView } from "#app/components/account/api-keys/shown-key.ts";
import { externalAccountViews } from "#app/components/account/external-accounts/shown-outside.ts";
import type { AuthRequest } from "#app/http/identity/session.server.ts";
import type { Route } from "./+types/connections.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conexões · Coreto" }];

const HERE = "/settings/connections";
const PAGE = 20;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const personId = context.get(memberContext).id;
  const at = (parameter: string) => ({
    personId,
    cursor: url.searchParams.get(parameter),
    limit: PAGE,
  });
  const [accounts, followed, muted, blocked, keys, undo] = await Promise.all([
    connectedAccounts({ env: context.get(cloudflareContext).env, ctx, request }),
    followedPeople(ctx, at("cursor")),
    mutedPeople(ctx, at("muted")),
    blockedPeople(ctx, at("blocked")),
    apiKeysPage(ctx, at("apps")),
    personByUsername(ctx, { username: url.searchParams.get("person") ?? "" }),
  ]);
  return {
    accounts,
    followed: shownPage(followed),
    muted: shownPage(muted),
    blocked: shownPage(blocked),
    keys: { next: keys.next, items: keys.items.map((key) => apiKeyView(key, ctx.now())) },
    undo: undo && {
      done: url.searchParams.get("undo") ?? "",
      person: { username: undo.username, name: undo.name },
    },
  };
}

/** Loads the external accounts. Null where another identity provider shows its own. */
async function connectedAccounts(asked: AuthRequest) {
  const choices = externalProviderOptions(asked.env);
  if (choices === null) return null;
  const { outside } = await embedded(asked).outside.ownWaysIn();
  return {
    shown: externalAccountViews(outside, (id) => externalProviderName(asked.env, id)),
    mayConnect: choices.length > 0,
  };
}

function shownPage({ items, next }: Page<ConnectionRow>) {
  return {
    next,
    items: items.map(({ id, username, name, avatarMediaId, since }) => ({
      id,
      username,
      name,
      since: formatDay(since),
      avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
    })),
  };
}

export default function Connections({
  loaderData: { accounts, followed, muted, blocked, keys, undo },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Conexões"
        lead="O que abre a sua conta, quem você acompanha e o que lê em seu nome."
      />
      <div className="flex flex-col gap-8">
        {undo ? <UndoCard {...undo} page={HERE} /> : null}
        <Part title="Contas conectadas" next={null} parameter="accounts">
          {accounts === null ? <ElsewhereLink /> : <OwnAccounts {...accounts} />}
        </Part>
        <Part title="Quem você segue" next={followed.next} parameter="cursor">
          <ConnectionList
            people={followed.items}
            takeBack={CONNECTION_REMOVALS.follow}
            page={HERE}
            empty={<NobodyFollowed />}
          />
        </Part>
        <Part title="Quem você silenciou" next={muted.next} parameter="muted">
          <ConnectionList
            people={muted.items}
            takeBack={CONNECTION_REMOVALS.mute}
            page={HERE}
            empty={
              <p className="text-muted">
                Ninguém. O que uma pessoa silenciada publica não aparece no seu início, e ela não
                fica sabendo.
              </p>
            }
          />
        </Part>
        <Part title="Pessoas bloqueadas" next={blocked.next} parameter="blocked">
          <ConnectionList
            people={blocked.items}
            takeBack={CONNECTION_REMOVALS.block}
            page={HERE}
            empty={
              <p className="text-muted">
                Ninguém. Quem você bloquear não vê você, nem você a pessoa.
              </p>
            }
          />
        </Part>
        <Part title="Aplicativos com acesso" next={keys.next} parameter="apps">
          <AppsWithAccess keys={keys.items} />
        </Part>
      </div>
    </>
  );
}

function Part({
  title,
  next,
  parameter,
  children,
}: {
  title: string;
  next: string | null;
  parameter: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <h2 className="pb-3 text-heading">{title}</h2>
      {children}
      <MoreLink next={next} parameter={parameter} />
    </section>
  );
}

type OwnAccountsProps = {
  shown: Parameters<typeof ExternalAccountList>[0]["accounts"];
  mayConnect: boolean;
};

function OwnAccounts({ shown, mayConnect }: OwnAccountsProps) {
  return (
    <>
      <ExternalAccountList
        accounts={shown}
        empty="Nenhuma. Você entra com o que criou aqui no Coreto."
      />
      <div className="mt-3 flex flex-wrap gap-2">
        {mayConnect ? (
          <ButtonLink to="/auth/account/connections" variant="outline" size="sm">
            Ligar uma conta
          </ButtonLink>
        ) : null}
        <ButtonLink to="/auth/account/wallets" variant="outline" size="sm">
          Ligar uma carteira
        </ButtonLink>
      </div>
    </>
  );
}

function ElsewhereLink() {
  return (
    <ButtonLink to="/auth/account" variant="outline" size="sm">
      Ver na sua conta
    </ButtonLink>
  );
}

function NobodyFollowed() {
  return (
    <EmptyState
      title="Você ainda não segue ninguém"
      action={<ButtonLink to="/explore">Explorar</ButtonLink>}
    >
      Siga quem você gosta para ver o que publica no seu início.
    </EmptyState>
  );
}

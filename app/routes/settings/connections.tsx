import { Form, Link } from "react-router";
import { KeyFacts } from "#app/components/account/key-facts.tsx";
import type { ShownKey } from "#app/components/account/key-facts.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { apiKeysOf } from "#app/domain/identity/queries/api-keys.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { blockedBy, followedBy } from "#app/domain/profiles/queries.server.ts";
import type { ConnectionRow } from "#app/domain/profiles/queries.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { shownKey } from "#app/http/shown-key.ts";
import type { Route } from "./+types/connections.ts";

export const meta: Route.MetaFunction = () => [{ title: "Conexões · Coreto" }];

const PAGE = 20;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const personId = context.get(memberContext).id;
  const [followed, blocked, keys] = await Promise.all([
    followedBy(ctx, { personId, cursor: url.searchParams.get("cursor"), limit: PAGE }),
    blockedBy(ctx, { personId, cursor: url.searchParams.get("blocked"), limit: PAGE }),
    apiKeysOf(ctx, { personId }),
  ]);
  return {
    followed: { next: followed.next, items: followed.items.map(shown) },
    blocked: { next: blocked.next, items: blocked.items.map(shown) },
    keys: keys.map((key) => shownKey(key, ctx.now())),
  };
}

function shown({ id, username, name, craft, avatarMediaId, since }: ConnectionRow) {
  return { id, username, name, craft, since: formatDay(since), avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320") };
}

type Shown = ReturnType<typeof shown>;

export default function Connections({ loaderData: { followed, blocked, keys } }: Route.ComponentProps) {
  return (
    <div className="flex flex-col gap-8">
      <section>
        <PageHeader title="Quem você segue" />
        {followed.items.length === 0 ? (
          <EmptyState title="Você ainda não segue ninguém" action={<ButtonLink to="/explore">Explorar</ButtonLink>}>
            Siga quem você gosta para ver o que publica no seu início.
          </EmptyState>
        ) : (
          <People people={followed.items} since="desde" canUnfollow />
        )}
        <MoreLink next={followed.next} />
      </section>
      <section aria-labelledby="bloqueadas">
        <h2 id="bloqueadas" className="pb-3 text-heading">
          Pessoas bloqueadas
        </h2>
        {blocked.items.length === 0 ? <p className="text-muted">Ninguém. Quem você bloquear não vê você, nem você a pessoa.</p> : <People people={blocked.items} since="desde" />}
        <MoreLink next={blocked.next} parameter="blocked" />
      </section>
      <Apps keys={keys} />
    </div>
  );
}

function Apps({ keys }: { keys: ShownKey[] }) {
  return (
    <section aria-labelledby="aplicativos">
      <h2 id="aplicativos" className="pb-3 text-heading">
        Aplicativos com acesso
      </h2>
      {keys.length === 0 ? (
        <p className="text-muted">Nenhum. Um programa só lê o Coreto em seu nome com uma chave que você criou.</p>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {keys.map((key) => (
              <li key={key.id} className="px-5 py-4">
                <KeyFacts apiKey={key} level="h3" />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Link to="/auth/account/keys" className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2">
        Gerenciar chaves de API
      </Link>
    </section>
  );
}

function People({ people, since, canUnfollow = false }: { people: Shown[]; since: string; canUnfollow?: boolean }) {
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line">
        {people.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <Link to={`/space/${person.username}`} className="flex min-h-12 min-w-0 flex-1 basis-48 items-center gap-3">
              <Avatar name={person.name} src={person.avatarUrl} size="md" />
              <span className="flex min-w-0 flex-col">
                <span className="font-semibold">{person.name}</span>
                <span className="text-small text-muted">
                  @{person.username} · {since} {person.since}
                </span>
              </span>
            </Link>
            {canUnfollow ? <Unfollow person={person} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Unfollow({ person }: { person: Shown }) {
  return (
    <Form method="post" action={`/space/${person.id}/follow`}>
      <input type="hidden" name="following" value="false" />
      <input type="hidden" name="to" value="/settings/connections" />
      <Button variant="outline" size="sm" aria-label={`Deixar de seguir ${person.name}`}>
        Seguindo
      </Button>
    </Form>
  );
}

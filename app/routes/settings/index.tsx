import { BarChart3, CalendarDays, LogOut } from "lucide-react";
import { settingsMenu } from "#app/components/shell/navigation/settings-menu.ts";
import type { SettingsOf } from "#app/components/shell/navigation/settings-menu.ts";
import { ThemeSwitch } from "#app/components/shell/browser/theme-form.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { LinkList } from "#app/components/ui/links/link-list.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { actorContext, domainContext } from "#app/http/contexts.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { Route } from "./+types/index.ts";

export const meta: Route.MetaFunction = () => [{ title: "Ajustes · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  const { member, space, may } = context.get(actorContext);
  const { name, username, email, avatarUrl } = member;
  const settles = {
    isCreator: space.isCreator,
    editsPlans: may("plans:edit"),
    seesMoney: may("money:see"),
    managesBilling: may("billing:manage"),
  };
  const hasEvents = !isHiddenPath("/events", context.get(domainContext).settings);
  return { name, username, email, avatarUrl, settles, hasEvents };
}

export default function Settings({ loaderData: member }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Ajustes" />
      <div className="flex flex-col gap-6">
        <Card className="flex flex-wrap items-center gap-4 p-5">
          <Avatar name={member.name} src={member.avatarUrl} size="lg" />
          <div className="flex min-w-0 flex-1 basis-40 flex-col">
            <span className="line-clamp-2 font-semibold">{member.name}</span>
            <span className="text-small text-muted">
              @{member.username} · {member.email}
            </span>
          </div>
          <form method="post" action="/auth/logout">
            <Button variant="outline">
              <LogOut aria-hidden="true" className="size-4.5" />
              Sair
            </Button>
          </form>
        </Card>
        <section
          aria-labelledby="aparencia"
          className="flex flex-wrap items-center justify-between gap-3"
        >
          <h2 id="aparencia" className="text-[1.125rem] leading-6">
            Aparência
          </h2>
          <ThemeSwitch wide />
        </section>
        <Menu settles={member.settles} />
        <nav aria-label="Também" className="flex flex-wrap gap-2 lg:hidden">
          {member.hasEvents ? (
            <ButtonLink to="/events" variant="outline" size="sm">
              <CalendarDays aria-hidden="true" className="size-4.5" />
              Eventos
            </ButtonLink>
          ) : null}
          {member.settles.isCreator ? (
            <ButtonLink to="/analytics" variant="outline" size="sm">
              <BarChart3 aria-hidden="true" className="size-4.5" />
              Números
            </ButtonLink>
          ) : (
            <ButtonLink to="/space/create" variant="outline" size="sm">
              Abrir minha página
            </ButtonLink>
          )}
        </nav>
      </div>
    </>
  );
}

function Menu({ settles }: { settles: SettingsOf }) {
  return settingsMenu(settles).map((group) => (
    <section key={group.title} aria-label={group.title} className="flex flex-col gap-2">
      <h2 className="text-[1.125rem] leading-6">{group.title}</h2>
      <LinkList links={group.items} />
    </section>
  ));
}

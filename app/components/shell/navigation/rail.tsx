import { LogOut, Search } from "lucide-react";
import { Link, NavLink } from "react-router";
import { openPalette } from "#app/components/palette/palette-keys.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Logo, LogoMark } from "#app/components/ui/brand/logo.tsx";
import { mainAction, railDestinations } from "./navigation.ts";
import type { NavigationItem } from "./navigation.ts";
import { SwitchPageLink } from "#app/components/shell/acting/acting-notice.tsx";
import type { ActingContext } from "#app/components/shell/acting/acting-notice.tsx";
import { ThemeSwitch } from "#app/components/shell/browser/theme-form.tsx";
import { UnreadBadge } from "./unread-badge.tsx";

export type ShellMember = {
  name: string;
  username: string;
  avatarUrl: string | null;
  isModerator: boolean;
};

/** Left navigation of a desktop: icons from 1024 pixels, with labels from 1280. */
export function Rail({
  member,
  acting,
  unread,
}: {
  member: ShellMember;
  acting: ActingContext;
  unread: number;
}) {
  const act = mainAction({ ...acting, isModerator: member.isModerator });
  return (
    <header className="sticky top-0 -mx-1.5 hidden h-dvh print:hidden flex-col gap-1 overflow-y-auto px-1.5 py-6 lg:flex">
      <Link
        to="/"
        aria-label="Coreto, início"
        className="mb-3 inline-flex min-h-11 items-center px-3.5 max-xl:justify-center max-xl:px-0"
      >
        <LogoMark className="size-8 text-ink xl:hidden" />
        <span className="max-xl:hidden">
          <Logo />
        </span>
      </Link>
      <Link
        to="/explore"
        onClick={openPalette}
        title="Buscar ou ir para (Ctrl+K)"
        className="mb-3 flex min-h-11 items-center gap-3 rounded-full border border-edge bg-card px-3.5 text-small whitespace-nowrap text-muted hover:text-ink max-xl:size-11 max-xl:justify-center max-xl:self-center max-xl:px-0"
      >
        <Search aria-hidden="true" className="size-5 shrink-0" />
        <span className="max-xl:sr-only">Buscar ou ir para</span>
        <kbd aria-hidden="true" className="ml-auto text-caption max-wide:hidden">
          Ctrl K
        </kbd>
      </Link>
      <nav aria-label="Principal">
        <ul className="flex flex-col gap-1">
          {railDestinations({ ...acting, isModerator: member.isModerator }).map((destination) => (
            <RailLink
              key={destination.to}
              destination={destination}
              unread={destination.to === "/notifications" ? unread : 0}
            />
          ))}
        </ul>
      </nav>
      <ButtonLink
        to={act.to}
        size="lg"
        className="mt-4 max-xl:size-12 max-xl:self-center max-xl:px-0"
        aria-label={act.label}
      >
        <act.Icon aria-hidden="true" className="size-5 shrink-0" />
        <span className="max-xl:sr-only">{act.label}</span>
      </ButtonLink>
      <SwitchPageLink acting={acting} />
      <Account member={member} />
    </header>
  );
}

function RailLink({
  destination: { to, label, Icon, end },
  unread,
}: {
  destination: NavigationItem;
  unread: number;
}) {
  return (
    <li>
      <NavLink
        to={to}
        end={end ?? false}
        title={label}
        className={({ isActive }) =>
          `relative flex min-h-12 items-center gap-4 rounded-full px-4 font-semibold max-xl:justify-center max-xl:px-0 ${isActive ? "bg-sand" : "hover:bg-sand/60"}`
        }
      >
        <Icon aria-hidden="true" className="size-5.5 shrink-0" />
        <span className="max-xl:sr-only">{label}</span>
        <UnreadBadge
          unread={unread}
          className="ml-auto max-xl:absolute max-xl:top-1 max-xl:right-1.5"
        />
      </NavLink>
    </li>
  );
}

function Account({ member }: { member: ShellMember }) {
  return (
    <div className="mt-auto flex flex-col gap-2 pt-6">
      <div className="max-xl:hidden">
        <ThemeSwitch />
      </div>
      <div className="flex items-center gap-1 max-xl:flex-col">
        <NavLink
          to="/me"
          title={member.name}
          className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-full py-1 pr-3 pl-1.5 hover:bg-sand max-xl:flex-none max-xl:p-1.5"
        >
          <Avatar name={member.name} src={member.avatarUrl} size="md" />
          <span className="flex min-w-0 flex-col max-xl:sr-only">
            <span className="truncate text-small font-semibold">{member.name}</span>
            <span className="truncate text-caption text-muted">@{member.username}</span>
          </span>
        </NavLink>
        <form method="post" action="/auth/logout">
          <button
            type="submit"
            aria-label="Sair"
            title="Sair"
            className="inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
          >
            <LogOut aria-hidden="true" className="size-5" />
          </button>
        </form>
      </div>
    </div>
  );
}

import { counted } from "#app/domain/text.ts";
import { Bell, Settings } from "lucide-react";
import { Link, NavLink } from "react-router";
import { Logo } from "#app/components/ui/brand/logo.tsx";
import { UnreadBadge } from "./unread-badge.tsx";

const ICON_LINK =
  "relative inline-flex size-11 items-center justify-center rounded-full text-ink hover:bg-sand";

export function PhoneTop({ unread }: { unread: number }) {
  return (
    <header className="sticky top-0 z-30 flex items-center justify-between bg-paper/95 px-4 py-1.5 lg:hidden print:hidden">
      <Link to="/" aria-label="Coreto, início" className="inline-flex min-h-11 items-center">
        <Logo />
      </Link>
      <div className="-mr-2 flex">
        <NavLink to="/settings" aria-label="Ajustes" className={ICON_LINK}>
          <Settings aria-hidden="true" className="size-5.5" />
        </NavLink>
        <NavLink
          to="/notifications"
          aria-label={
            unread > 0
              ? `Notificações, ${counted(unread, "não lida", "não lidas")}`
              : "Notificações"
          }
          className={ICON_LINK}
        >
          <Bell aria-hidden="true" className="size-5.5" />
          <UnreadBadge unread={unread} className="absolute top-1 right-0.5" />
        </NavLink>
      </div>
    </header>
  );
}

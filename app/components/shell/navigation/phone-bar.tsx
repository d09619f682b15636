import { NavLink } from "react-router";
import { barDestinations } from "./navigation.ts";
import type { ActingContext } from "#app/components/shell/acting/acting-notice.tsx";

/** Phone navigation with five destinations. "Criar" is highlighted. */
export function PhoneBar({ acting }: { acting: ActingContext }) {
  return (
    <nav
      aria-label="Principal"
      data-phone-bar=""
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg grid-cols-5">
        {barDestinations(acting).map(({ to, label, Icon, end }) => (
          <li key={to} className="flex justify-center">
            {to === "/post/create" ? (
              <NavLink
                to={to}
                aria-label={label}
                className="my-1.5 inline-flex size-12 items-center justify-center rounded-full bg-signal text-on-signal"
              >
                <Icon aria-hidden="true" className="size-6" />
              </NavLink>
            ) : (
              <NavLink
                to={to}
                end={end ?? false}
                className={({ isActive }) =>
                  `flex min-h-15 w-full flex-col items-center justify-center gap-1 text-caption font-medium ${isActive ? "text-ink" : "text-muted"}`
                }
              >
                <Icon aria-hidden="true" className="size-5.5" />
                {label}
              </NavLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

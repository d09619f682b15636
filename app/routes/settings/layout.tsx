import { ChevronLeft } from "lucide-react";
import { Link, NavLink, Outlet, useLocation } from "react-router";
import { settingsBack } from "#app/components/shell/navigation/settings-back.ts";
import { settingsMenu } from "#app/components/shell/navigation/settings-menu.ts";
import { actorContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = () => [{ title: "Ajustes · Coreto" }];

export function loader({ context }: Route.LoaderArgs) {
  const { space, may } = context.get(actorContext);
  return {
    isCreator: space.isCreator,
    editsPlans: may("plans:edit"),
    seesMoney: may("money:see"),
    managesBilling: may("billing:manage"),
  };
}

/**
 * Pages with an own menu entry below the path of another entry. While one is open, only its entry
 * is marked.
 */
const BELOW: Record<string, string> = {
  "/settings/billing": "/settings/billing/details",
  "/settings/transactions": "/settings/transactions/disputes",
};

function hasEntryBelow(entry: string, pathname: string): boolean {
  const below = BELOW[entry];
  return below !== undefined && pathname.startsWith(below);
}

export default function SettingsLayout({ loaderData: settles }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const back = settingsBack(pathname);
  const isIndex = /^\/settings\/?$/.test(pathname);
  return (
    <div className="grid gap-8 lg:grid-cols-[220px_minmax(0,720px)]">
      <nav aria-label="Ajustes" className="sticky top-6 hidden self-start lg:block">
        {settingsMenu(settles).map((group) => (
          <div key={group.title} className="mb-5">
            {/* Not a heading: the page's h1 comes after this menu. */}
            <p className="px-3 pb-1 text-caption font-semibold text-muted">{group.title}</p>
            <ul aria-label={group.title}>
              {group.items.map((item) => (
                <li key={item.to}>
                  <NavLink
                    to={item.to}
                    end={hasEntryBelow(item.to, pathname)}
                    className={({ isActive }) =>
                      `flex min-h-11 items-center rounded-field px-3 ${isActive ? "bg-sand font-semibold" : "text-muted hover:bg-sand/60 hover:text-ink"}`
                    }
                  >
                    {item.label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="min-w-0">
        {isIndex ? null : (
          <Link
            to={back.to}
            className={`mb-1 -ml-1 inline-flex min-h-11 items-center gap-1 text-muted hover:text-ink ${back.isInMenu ? "lg:hidden" : ""}`}
          >
            <ChevronLeft aria-hidden="true" className="size-5" />
            {back.label}
          </Link>
        )}
        <Outlet />
      </div>
    </div>
  );
}

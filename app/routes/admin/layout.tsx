import { Outlet } from "react-router";
import { STAFF_PAGES } from "#app/components/shell/navigation/staff-pages.ts";
import { Tabs } from "#app/components/ui/links/tabs.tsx";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/layout.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

export const meta: Route.MetaFunction = () => [{ title: "Moderação · Coreto" }];

export default function AdminLayout() {
  return (
    <div className="flex max-w-[1036px] flex-col gap-6">
      <Tabs label="Moderação" tabs={STAFF_PAGES} />
      <Outlet />
    </div>
  );
}

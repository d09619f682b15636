import { Outlet } from "react-router";
import { Tabs } from "#app/components/ui/tabs.tsx";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/layout.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

export const meta: Route.MetaFunction = () => [{ title: "Moderação · Coreto" }];

export default function AdminLayout() {
  return (
    <div className="flex max-w-[1036px] flex-col gap-6">
      <Tabs
        label="Moderação"
        tabs={[
          { to: "/admin", label: "O que espera" },
          { to: "/admin/reports", label: "Denúncias", end: false },
          { to: "/admin/documents", label: "Documentos", end: false },
          { to: "/admin/disputes", label: "Contestações", end: false },
          { to: "/admin/payouts", label: "Saques", end: false },
          { to: "/admin/fees", label: "Taxas" },
          { to: "/admin/fiscal", label: "Notas", end: false },
          { to: "/admin/margin", label: "Margem", end: false },
          { to: "/admin/ledger", label: "Livro-razão" },
          { to: "/admin/reconciliation", label: "Conciliação", end: false },
        ]}
      />
      <Outlet />
    </div>
  );
}

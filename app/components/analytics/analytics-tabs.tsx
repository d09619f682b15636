import { Tabs } from "#app/components/ui/links/tabs.tsx";

/** The pages of a creator's numbers. `query` keeps the range. */
export function AnalyticsTabs({ query, money }: { query: string; money: boolean }) {
  return (
    <div className="print:hidden">
      <Tabs
        label="Números"
        tabs={[
          { to: `/analytics${query}`, label: "Visão geral" },
          { to: `/analytics/people${query}`, label: "Pessoas" },
          { to: `/analytics/posts${query}`, label: "Publicações" },
          { to: `/analytics/events${query}`, label: "Eventos e mensagens" },
          { to: `/analytics/links${query}`, label: "Links" },
          ...(money ? [{ to: "/analytics/recurring", label: "Receita recorrente" }] : []),
        ]}
      />
    </div>
  );
}

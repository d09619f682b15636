import { AnalyticsTabs } from "#app/components/analytics/analytics-tabs.tsx";
import { BarChart } from "#app/components/analytics/bar-chart.tsx";
import { CohortTable } from "#app/components/analytics/cohort-table.tsx";
import { Broadcasts, Events } from "#app/components/analytics/event-sections.tsx";
import { Figure, Figures } from "#app/components/analytics/figures.tsx";
import { NewsletterFigures } from "#app/components/analytics/newsletter-figures.tsx";
import { Overall } from "#app/components/analytics/overall-sections.tsx";
import { PeopleFigures, Revenue, Visits } from "#app/components/analytics/overview.tsx";
import type { OverviewShown } from "#app/components/analytics/overview.tsx";
import { Counts, Funnel, Movement, Sources } from "#app/components/analytics/people-sections.tsx";
import type { PeopleShown } from "#app/components/analytics/people-sections.tsx";
import { MetricFigures, MetricTables } from "#app/components/analytics/platform-metrics.tsx";
import { RangePicker, RangeText } from "#app/components/analytics/range-picker.tsx";
import { RecurringChart } from "#app/components/analytics/recurring-chart.tsx";
import {
  RecurringFigures,
  RecurringMeanings,
} from "#app/components/analytics/recurring-figures.tsx";
import { RetentionSection } from "#app/components/analytics/retention-section.tsx";
import { AudienceFilters } from "#app/components/audience/audience-filters.tsx";
import { AudienceList } from "#app/components/audience/audience-list.tsx";
import type { AudienceRow } from "#app/components/audience/audience-list.tsx";
import { formatMoney } from "#app/domain/money.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import {
  DAY_MS,
  LONG_NAME,
  LONG_WORD,
  NOW,
  plan,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

/** The week until the day of the examples, in days since 1970. */
const UNTIL = Math.floor(NOW / DAY_MS);
const range: AnalyticsRange = {
  name: "7",
  from: UNTIL - 6,
  until: UNTIL,
  before: { from: UNTIL - 13, until: UNTIL - 7 },
};
const VALUES = [3, 8, 5, 0, 12, 20, 9];
const bars = VALUES.map((value, index) => ({
  label: `${index + 5}/11`,
  value: value * 1_000,
  before: value * 700,
}));
const sums = { views: 300, visitors: 120, plays: 40, follows: 12, trials: 2, starts: 5, ends: 1 };

const buckets = VALUES.map((_, index) => ({
  from: UNTIL - 6 + index,
  until: UNTIL - 6 + index,
  label: `${index + 5}/11`,
}));
const overview: OverviewShown = {
  range,
  money: null,
  followersCount: 1_284,
  subscribersCount: 96,
  audience: { now: sums, before: sums },
  buckets: buckets.map((bucket, index) => ({
    ...bucket,
    netCents: (VALUES[index] ?? 0) * 1_000,
    netBeforeCents: 2_000,
    visitors: VALUES[index] ?? 0,
    views: (VALUES[index] ?? 0) * 2,
    visitorsBefore: 4,
  })),
};
const people: PeopleShown = {
  range,
  mayMoney: true,
  followersCount: 1_284,
  subscribersCount: 96,
  now: sums,
  before: null,
  funnel: [
    { name: "visits", count: 120, share: null },
    { name: "follows", count: 12, share: 0.1 },
    { name: "starts", count: 5, share: 0.41 },
  ],
  buckets: buckets.map((bucket) => ({ ...bucket, follows: 2, starts: 1, ends: 0 })),
  sources: [
    { dimension: "referrer", value: "instagram.com", views: 200, visitors: 80 },
    { dimension: "device", value: "phone", views: 100, visitors: 40 },
    { dimension: "country", value: "BR", views: 300, visitors: 120 },
  ],
};

const subscriber: AudienceRow = {
  id: "a",
  name: "Bruno Lima",
  username: "bruno",
  avatarUrl: null,
  planName: "Camarim",
  interval: "monthly",
  method: "pix",
  isAutomatic: true,
  status: "active",
  badge: "Ativa",
  startedAt: NOW - 90 * DAY_MS,
  amountCents: 1_990,
  monthlyCents: 1_990,
  paidCents: 5_970,
};
const cohorts = [
  { month: "2026-09", size: 40, retained: [40, 32, 30] },
  { month: "2026-10", size: 25, retained: [25, 21] },
  { month: "2026-11", size: 8, retained: [8] },
];

export const NUMBERS: GalleryScreen = {
  slug: "numbers",
  title: "Números e gráficos",
  parts: [
    { name: "Abas", element: <AnalyticsTabs query="?range=7" money />, isWide: true },
    {
      name: "Período, com erro",
      element: (
        <div className="flex flex-col gap-2">
          <RangePicker
            range={range}
            errors={{ until: "O fim vem antes do começo." }}
            typed={{ from: "2026-11-11", until: "2026-11-01" }}
          />
          <RangeText range={range} />
        </div>
      ),
    },
    {
      name: "Números: a mais, a menos, sem comparação",
      element: (
        <Figures>
          <Figure name="Visitas" value="1.284" change={0.21}>
            Pessoas que abriram a página.
          </Figure>
          <Figure name="Saíram" value="3" change={-0.4} lessIsBetter>
            Assinaturas que acabaram.
          </Figure>
          <Figure name="Receita" value="R$ 1.234.567,89" to="/settings/transactions">
            O que ficou para você.
          </Figure>
        </Figures>
      ),
      isWide: true,
    },
    {
      name: "Barras",
      element: (
        <BarChart title="Receita" description="Sete dias." bars={bars} format={formatMoney} />
      ),
    },
    {
      name: "Barras sem nada",
      element: (
        <BarChart
          title="Receita"
          description="Nenhum dia."
          bars={bars.map(({ label }) => ({ label, value: 0 }))}
          format={formatMoney}
        />
      ),
    },
    { name: "Pessoas", element: <PeopleFigures shown={overview} />, isWide: true },
    { name: "Receita por dia", element: <Revenue shown={overview} isOwn />, isWide: true },
    { name: "Visitas por dia", element: <Visits shown={overview} />, isWide: true },
    { name: "Contagem", element: <Counts shown={people} />, isWide: true },
    {
      name: "Chegadas e saídas",
      element: <Movement shown={people} query="?range=7" />,
      isWide: true,
    },
    { name: "Funil", element: <Funnel shown={people} query="?range=7" /> },
    { name: "De onde vêm", element: <Sources shown={people} query="?range=7" />, isWide: true },
    {
      name: "Quem continua, e nada ainda",
      element: (
        <Overall
          query="?range=7"
          shown={{ cohorts: [], reasons: [], mayMoney: true, supporters: [] }}
        />
      ),
      isWide: true,
    },
    {
      name: "Quem apoia, com nomes compridos",
      element: (
        <Overall
          query="?range=7"
          shown={{
            cohorts,
            reasons: [
              { reason: "price", count: 3 },
              { reason: null, count: 1 },
            ],
            mayMoney: true,
            supporters: [
              { name: LONG_NAME, username: "bia", paidCents: 1_234_567, chargesCount: 12 },
              { name: LONG_WORD, username: "caio", paidCents: 990, chargesCount: 1 },
            ],
          }}
        />
      ),
      isWide: true,
    },
    { name: "Permanência", element: <CohortTable cohorts={cohorts} />, isWide: true },
  ],
};

export const MORE_NUMBERS: GalleryScreen = {
  slug: "more-numbers",
  title: "Números: eventos, receita e público",
  parts: [
    {
      name: "Eventos",
      element: (
        <Events
          mayMoney
          query="?range=7"
          events={[
            {
              id: "a",
              title: LONG_NAME,
              startsAt: NOW,
              timeZone: "America/Recife",
              isCanceled: true,
              capacity: 40,
              seatsTaken: 12,
              checkedInCount: null,
              sales: 3,
              grossCents: 9_000,
              netCents: 8_550,
            },
          ]}
        />
      ),
      isWide: true,
    },
    { name: "Sem eventos", element: <Events mayMoney query="" events={[]} />, isWide: true },
    {
      name: "Mensagens a muitos",
      element: (
        <Broadcasts
          query="?range=7"
          broadcasts={[
            {
              id: "a",
              text: "Oi! Sexta tem ensaio.",
              startedAt: NOW,
              recipientCount: 96,
              sentCount: 95,
              openedCount: 60,
              answeredCount: null,
              buyersCount: 2,
            },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Publicações por e-mail",
      element: (
        <NewsletterFigures
          newsletters={[
            { postId: "a", title: LONG_NAME, sentCount: 96, openedCount: 60, clickedCount: null },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Até onde ouvem",
      element: (
        <RetentionSection
          postId="a"
          query=""
          retention={[
            { percent: 0, plays: 100, share: 1 },
            { percent: 50, plays: 60, share: 0.6 },
            { percent: 100, plays: 30, share: 0.3 },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Receita recorrente",
      element: (
        <RecurringFigures
          now={{ count: 96, monthlyCents: 191_040 }}
          renewing={{ count: 90, monthlyCents: 179_100 }}
          averageCents={1_990}
          churn={0.04}
          lifetimeCents={49_750}
          subscribersPath="/me/subscribers"
          maySeeMoves
        />
      ),
      isWide: true,
    },
    {
      name: "Receita por mês",
      element: (
        <RecurringChart
          months={["set.", "out.", "nov."].map((shortName, index) => ({
            shortName,
            endCents: 150_000 + index * 20_000,
            cameCents: 30_000,
            wentCents: 10_000,
          }))}
        />
      ),
      isWide: true,
    },
    { name: "O que quer dizer", element: <RecurringMeanings /> },
    {
      name: "Assinantes",
      element: (
        <AudienceList
          rows={[
            subscriber,
            {
              ...subscriber,
              id: "b",
              name: LONG_NAME,
              status: "past_due",
              badge: "Atrasada",
              method: "card",
            },
            {
              ...subscriber,
              id: "c",
              method: "comp",
              amountCents: null,
              monthlyCents: null,
              paidCents: null,
            },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Filtros do público",
      element: (
        <AudienceFilters
          values={{ status: "active" }}
          counts={{ count: 96, byStatus: { active: 90, past_due: 6 } }}
          plans={[plan]}
          isFiltered
        />
      ),
      isWide: true,
    },
    {
      name: "Plataforma",
      element: (
        <MetricFigures
          now={{
            grossCents: 1_234_567,
            feeCents: 61_728,
            returnedCents: 1_990,
            checkouts: [
              { method: "pix", started: 100, paid: 80, paidInFiveMinutes: 70, paidInHour: 78 },
            ],
            failures: [{ code: "insufficient_funds", count: 2 }],
            disputes: 1,
            payouts: { settled: 12, waitMs: 3_600_000 },
            activeCreators: 12,
            activeFans: 340,
          }}
          before={null}
        />
      ),
      isWide: true,
    },
    {
      name: "Plataforma: tabelas",
      element: (
        <MetricTables
          now={{
            grossCents: 0,
            feeCents: 0,
            returnedCents: 0,
            checkouts: [
              { method: "pix", started: 100, paid: 80, paidInFiveMinutes: 70, paidInHour: 78 },
            ],
            failures: [{ code: "insufficient_funds", count: 2 }],
            disputes: 0,
            payouts: { settled: 0, waitMs: 0 },
            activeCreators: 0,
            activeFans: 0,
          }}
          funnel={{ registered: 100, opened: 40, published: 30, planned: 20, sold: 10 }}
        />
      ),
      isWide: true,
    },
  ],
};

import { Form, Link, useLocation } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { formatShortDay } from "#app/domain/time.ts";

export type SidebarMoney = {
  availableCents: number;
  pendingCents: number;
  releases: { releaseAt: number; netCents: number }[];
  lastReleaseAt: number | null;
};
export type SidebarPerson = {
  id: string;
  username: string;
  name: string;
  craft: string;
  avatarUrl: string | null;
};

/** Side column: the creator's balance today, and people to follow. */
export function Sidebar({
  money,
  people,
}: {
  money: SidebarMoney | null;
  people: SidebarPerson[];
}) {
  return (
    <aside
      aria-label="Ao lado"
      className="sticky top-0 hidden flex-col gap-4 self-start py-6 lg:flex print:hidden"
    >
      {money ? <MoneyToday money={money} /> : null}
      {people.length > 0 ? <PeopleToFollow people={people} /> : null}
    </aside>
  );
}

function MoneyToday({ money }: { money: SidebarMoney }) {
  return (
    <Card as="section" label="Seu dinheiro hoje" className="flex flex-col items-start gap-2 p-5">
      <h2 className="font-text text-small font-normal tracking-normal text-muted">
        Disponível para sacar
      </h2>
      <Money cents={money.availableCents} size="display" />
      {money.pendingCents > 0 ? (
        <p className="text-small text-muted">
          + <Money cents={money.pendingCents} /> a liberar
          {money.lastReleaseAt === null ? "" : ` até ${formatShortDay(money.lastReleaseAt)}`}
        </p>
      ) : null}
      {money.releases.length > 1 ? <ReleaseCurve money={money} /> : null}
      {money.availableCents > 0 ? (
        <ButtonLink to="/settings/transfers" variant="ink" size="sm" className="mt-2">
          Sacar
        </ButtonLink>
      ) : null}
    </Card>
  );
}

const CURVE_WIDTH = 280;
const CURVE_HEIGHT = 52;

/** Curve of the available balance after each release; the first point is today. */
function ReleaseCurve({ money }: { money: SidebarMoney }) {
  const totals = money.releases.reduce<number[]>(
    (sums, release) => [...sums, (sums.at(-1) ?? 0) + release.netCents],
    [money.availableCents],
  );
  const most = Math.max(...totals, 1);
  const points = totals.map((total, step) => {
    const x = (step / (totals.length - 1)) * CURVE_WIDTH;
    const y = CURVE_HEIGHT - (total / most) * (CURVE_HEIGHT - 6) - 1;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join("L")}`;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-1 h-13 w-full"
    >
      <path d={`${line}V${CURVE_HEIGHT}H0Z`} fill="var(--signal-soft)" />
      <path
        d={line}
        fill="none"
        stroke="var(--signal)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function PeopleToFollow({ people }: { people: SidebarPerson[] }) {
  const { pathname } = useLocation();
  // On a creator's own page the button is in its header.
  const others = people.filter(({ username }) => pathname !== `/space/${username}`);
  if (others.length === 0) return null;
  return (
    <Card as="section" label="Gente para seguir" className="p-5">
      <h2 className="text-[1.125rem] leading-6">Gente para seguir</h2>
      <ul className="mt-3 flex flex-col gap-3">
        {others.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-3">
            <Link
              to={`/space/${person.username}`}
              className="flex min-h-11 min-w-0 flex-1 basis-36 items-center gap-3"
            >
              <Avatar name={person.name} src={person.avatarUrl} size="md" />
              <span className="flex min-w-0 flex-col">
                <span className="leading-5 font-semibold">{person.name}</span>
                <span className="text-small text-muted">{person.craft}</span>
              </span>
            </Link>
            <Form method="post" action={`/space/${person.id}/follow`} preventScrollReset>
              <input type="hidden" name="following" value="true" />
              <input type="hidden" name="to" value={pathname} />
              <Button variant="outline" size="sm" aria-label={`Seguir ${person.name}`}>
                Seguir
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}

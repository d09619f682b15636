import { Form, Link, useNavigation } from "react-router";
import { providerLabel } from "./provider-label.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { TruncatedNote } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type {
  PlatformMoneyParts,
  PlatformMoneyMove,
} from "#app/domain/ledger/platform-money/queries/platform-money.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { TruncatedList } from "#app/domain/page.ts";
import { formatDay, formatMinute, instantOfIsoDay } from "#app/domain/time.ts";

const PARTS: readonly { part: keyof PlatformMoneyParts; text: string; to: string }[] = [
  { part: "feesCents", text: "Taxas das vendas", to: "/admin/ledger/accounts/platform_fees" },
  {
    part: "costsCents",
    text: "Custos dos provedores",
    to: "/admin/ledger/accounts/provider_costs",
  },
  {
    part: "writeOffsCents",
    text: "Baixas de quem não pagou",
    to: "/admin/ledger/accounts/write_offs",
  },
  {
    part: "cashCents",
    text: "Colocado, menos o que já foi tirado",
    to: "/admin/ledger/accounts/platform_cash",
  },
  {
    part: "owedCents",
    text: "Adiantado a quem ainda deve",
    to: "/admin/ledger/kinds/creator_owed",
  },
  {
    part: "refundsCents",
    text: "Taxas de devoluções a caminho",
    to: "/admin/ledger/platform/refunds",
  },
];

const AWAY = "inline-flex min-h-11 items-center underline underline-offset-4";

/** The platform's balance and its parts: each line links to its entries. */
export function PlatformMoneySummary({
  ownCents,
  parts,
}: {
  ownCents: Cents;
  parts: PlatformMoneyParts;
}) {
  return (
    <Table
      caption="O que é da plataforma nos provedores"
      columns={[
        { title: "É da plataforma" },
        { title: <Money cents={ownCents} isTotal />, numeric: true },
      ]}
    >
      <tbody>
        {PARTS.map(({ part, text, to }) => (
          <tr key={part}>
            <Td>
              <RowLink to={to}>{text}</RowLink>
            </Td>
            <MoneyTd to={to} cents={parts[part]} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type Asked = {
  id: string;
  provider: string;
  amountCents: Cents;
  movedOn: string;
  note: string;
  askedAt: number;
  state: string;
  by: string | null;
  decidedByName: string | null;
  isOwn: boolean;
};

const NOBODY = "Conta encerrada";

/**
 * Platform withdrawals that wait for another person's approval or were refused. Renders nothing if
 * there are none.
 */
export function WithdrawalList({ withdrawals }: { withdrawals: TruncatedList<Asked> }) {
  if (withdrawals.items.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals" className="flex flex-col gap-3">
      <h2 id="withdrawals" className="text-heading">
        Retiradas pedidas
      </h2>
      <Card className="p-0">
        <ul className="divide-y divide-line">
          {withdrawals.items.map((asked) => (
            <li key={asked.id} className="flex flex-col gap-3 px-5 py-4">
              <p className="flex flex-wrap items-baseline justify-between gap-2">
                <span className="font-semibold">
                  <Money cents={asked.amountCents} /> de {providerLabel(asked.provider)}, em{" "}
                  {formatDay(instantOfIsoDay(asked.movedOn))}
                </span>
                <span className="text-small text-muted">
                  {asked.state === "asked"
                    ? "Espera aprovação"
                    : `Recusada por ${asked.decidedByName ?? NOBODY}`}
                </span>
              </p>
              <p className="wrap-anywhere text-small text-muted">
                Pedida por {asked.by ?? NOBODY} em {formatMinute(asked.askedAt)}: {asked.note}
              </p>
              {asked.state === "asked" ? <Decision asked={asked} /> : null}
            </li>
          ))}
        </ul>
      </Card>
      <TruncatedNote list={withdrawals} />
    </section>
  );
}

function Decision({ asked: { id, isOwn, amountCents } }: { asked: Asked }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="flex flex-col gap-2">
      {isOwn ? (
        <p className="text-small text-muted">
          Você pediu: outra pessoa da moderação precisa aprovar.
        </p>
      ) : null}
      <Form method="post" className="flex flex-wrap gap-2">
        <input type="hidden" name="id" value={id} />
        {isOwn ? null : (
          <Button size="sm" name="act" value="approve" disabled={isBusy}>
            Aprovar <Money cents={amountCents} />
          </Button>
        )}
        <Button size="sm" variant="outline" name="act" value="refuse" disabled={isBusy}>
          {isOwn ? "Desistir" : "Recusar"}
        </Button>
      </Form>
    </div>
  );
}

/**
 * Platform deposits and withdrawals, newest first, each with its author. Renders nothing if there
 * are none.
 */
export function PlatformMoneyMoves({ moves }: { moves: TruncatedList<PlatformMoneyMove> }) {
  if (moves.items.length === 0) return null;
  return (
    <section aria-labelledby="moves" className="flex flex-col gap-3">
      <h2 id="moves" className="text-heading">
        O que entrou e saiu
      </h2>
      <Table
        caption="Entradas e retiradas da plataforma, da mais nova para a mais antiga"
        columns={[
          { title: "Dia" },
          { title: "Provedor", wide: true },
          { title: "Valor", numeric: true },
          { title: "Como", wide: true },
          { title: "Por quem", wide: true },
        ]}
      >
        <tbody>
          {moves.items.map((move) => (
            <tr key={move.id}>
              <Td>
                {move.movedOn === null ? "" : formatDay(instantOfIsoDay(move.movedOn))}
                <RowNote>Lançado em {formatMinute(move.at)}</RowNote>
                <RowNote phoneOnly>
                  {providerLabel(move.provider)}, por {move.by ?? NOBODY}
                  {move.way === "in" ? "" : `, aprovada por ${move.approvedBy ?? NOBODY}`}:{" "}
                  <span className="wrap-anywhere">{move.note}</span>
                </RowNote>
              </Td>
              <Td wide>{providerLabel(move.provider)}</Td>
              <MoneyTd
                to={`/admin/ledger/postings/provider-move:${move.id}`}
                cents={move.way === "in" ? move.amountCents : -move.amountCents}
              />
              <Td wide className="wrap-anywhere">
                {move.note}
              </Td>
              <Td wide>
                {move.by ?? NOBODY}
                {move.way === "in" ? null : (
                  <RowNote>Aprovada por {move.approvedBy ?? NOBODY}</RowNote>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <TruncatedNote list={moves} />
      <Link to="/admin/ledger/accounts/platform_cash" className={`${AWAY} self-start`}>
        Ver os lançamentos
      </Link>
    </section>
  );
}

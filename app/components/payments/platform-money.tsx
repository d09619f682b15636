import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import type { OwnParts, PlatformMove } from "#app/domain/ledger/queries/platform-money.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { formatDay, formatMinute, instantOfIsoDay } from "#app/domain/time.ts";

const PARTS: readonly { part: keyof OwnParts; words: string; to: string | null }[] = [
  { part: "feesCents", words: "Taxas das vendas", to: "/admin/ledger/accounts/platform_fees" },
  { part: "costsCents", words: "Custos dos provedores", to: "/admin/ledger/accounts/provider_costs" },
  { part: "writeOffsCents", words: "Baixas de quem não pagou", to: "/admin/ledger/accounts/write_offs" },
  { part: "cashCents", words: "Colocado, menos o que já foi tirado", to: "/admin/ledger/accounts/platform_cash" },
  { part: "owedCents", words: "Adiantado a quem ainda deve", to: "/admin/ledger/debts" },
  { part: "refundsCents", words: "Taxas de devoluções a caminho", to: null },
];

const AWAY = "inline-flex min-h-11 items-center underline underline-offset-4";

/** What is the platform's, and of what it is made: each line opens its entries. */
export function OwnMoney({ ownCents, parts }: { ownCents: Cents; parts: OwnParts }) {
  return (
    <Table caption="O que é da plataforma nos provedores">
      <thead>
        <tr>
          <Th>É da plataforma</Th>
          <Th numeric>
            <Money cents={ownCents} />
          </Th>
        </tr>
      </thead>
      <tbody>
        {PARTS.map(({ part, words, to }) => (
          <tr key={part}>
            <Td>
              {to === null ? (
                words
              ) : (
                <Link to={to} className={AWAY}>
                  {words}
                </Link>
              )}
            </Td>
            <Td numeric>
              <Money cents={parts[part]} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type Asked = { id: string; provider: string; amountCents: Cents; movedOn: string; note: string; askedAt: number; state: string; by: string | null; decidedByName: string | null; isOwn: boolean };

const NOBODY = "Conta encerrada";

/** What was asked for and waits for somebody else, or was refused; nothing where there is none. */
export function WithdrawalList({ withdrawals }: { withdrawals: Asked[] }) {
  if (withdrawals.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals" className="flex flex-col gap-3">
      <h2 id="withdrawals" className="text-heading">
        Retiradas pedidas
      </h2>
      <Card className="p-0">
        <ul className="divide-y divide-line">
          {withdrawals.map((asked) => (
            <li key={asked.id} className="flex flex-col gap-3 px-5 py-4">
              <p className="flex flex-wrap items-baseline justify-between gap-2">
                <span className="font-semibold">
                  <Money cents={asked.amountCents} /> de {asked.provider}, em {formatDay(instantOfIsoDay(asked.movedOn))}
                </span>
                <span className="text-small text-muted">{asked.state === "asked" ? "Espera aprovação" : `Recusada por ${asked.decidedByName ?? NOBODY}`}</span>
              </p>
              <p className="wrap-anywhere text-small text-muted">
                Pedida por {asked.by ?? NOBODY} em {formatMinute(asked.askedAt)}: {asked.note}
              </p>
              {asked.state === "asked" ? <Decision asked={asked} /> : null}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Decision({ asked: { id, isOwn, amountCents } }: { asked: Asked }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="flex flex-col gap-2">
      {isOwn ? <p className="text-small text-muted">Você pediu: outra pessoa da moderação precisa aprovar.</p> : null}
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

/** What went in and out, newest first, and by whom; nothing before the first. */
export function PlatformMoves({ moves }: { moves: PlatformMove[] }) {
  if (moves.length === 0) return null;
  return (
    <section aria-labelledby="moves" className="flex flex-col gap-3">
      <h2 id="moves" className="text-heading">
        O que entrou e saiu
      </h2>
      <Table caption="Entradas e retiradas da plataforma, da mais nova para a mais antiga">
        <thead>
          <tr>
            <Th>Dia</Th>
            <Th>Provedor</Th>
            <Th numeric>Valor</Th>
            <Th>Como</Th>
            <Th>Por quem</Th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move) => (
            <tr key={move.id}>
              <Td className="whitespace-nowrap">
                {move.movedOn === null ? "" : formatDay(instantOfIsoDay(move.movedOn))}
                <span className="block text-caption text-muted">Lançado em {formatMinute(move.at)}</span>
              </Td>
              <Td>{move.provider}</Td>
              <Td numeric>
                <Money cents={move.way === "in" ? move.amountCents : -move.amountCents} />
              </Td>
              <Td className="wrap-anywhere">{move.note}</Td>
              <Td>
                {move.by ?? NOBODY}
                {move.way === "in" ? null : <span className="block text-caption text-muted">Aprovada por {move.approvedBy ?? NOBODY}</span>}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Link to="/admin/ledger/accounts/platform_cash" className={`${AWAY} self-start`}>
        Ver os lançamentos
      </Link>
    </section>
  );
}

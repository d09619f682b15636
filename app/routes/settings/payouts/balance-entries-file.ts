import {
  parseBalanceName,
  balanceTitle,
  balanceStatementSubject,
} from "#app/domain/ledger/statements/rules/statement.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementPeriod, ledgerFile } from "#app/http/money/ledger-statement.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/balance-entries-file.ts";

/** Returns all entries behind a balance, as `planilha.csv` or `extrato.ofx`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { space } = requireActor({ context }, "money:see");
  const search = new URL(request.url).searchParams;
  const account = parseBalanceName(search.get("account"));
  const { from, until, errors } = parseStatementPeriod(search);
  const asked = {
    name: `saldo-${account.replaceAll("_", "-")}`,
    title: `${balanceTitle(account)} de ${space.name}`,
    of: balanceStatementSubject(account, space.personId),
    from,
    until,
    errors,
  };
  return foundOr404(
    await ledgerFile(context.get(domainContext), params.file, asked),
    "Este arquivo não existe.",
  );
}

import { balanceNamed, balanceTitle, entriesBehind } from "#app/domain/ledger/rules/statement.ts";
import { actorWhoMay } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedPeriod, ledgerFile } from "#app/http/ledger-statement.server.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/balance-entries-file.ts";

/** The entries behind a balance, all of them: `planilha.csv` or `extrato.ofx`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { space } = actorWhoMay({ context }, "money:see");
  const search = new URL(request.url).searchParams;
  const account = balanceNamed(search.get("account"));
  const { from, until, errors } = askedPeriod(search);
  const asked = {
    name: `saldo-${account.replaceAll("_", "-")}`,
    title: `${balanceTitle(account)} de ${space.name}`,
    of: entriesBehind(account, space.personId),
    from,
    until,
    errors,
  };
  return found(
    await ledgerFile(context.get(domainContext), params.file, asked),
    "Este arquivo não existe.",
  );
}

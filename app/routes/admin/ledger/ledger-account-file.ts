import { parseStatementSubject } from "#app/domain/ledger/statements/rules/statement.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementPeriod, ledgerFile } from "#app/http/money/ledger-statement.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { requireModerator } from "#app/http/require-member.ts";
import type { Route } from "./+types/ledger-account-file.ts";

export const middleware: Route.MiddlewareFunction[] = [requireModerator];

/** Returns all entries of any account, as `planilha.csv` or `extrato.ofx`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const of = foundOr404(parseStatementSubject(params.accountId), "Esta conta não existe.");
  const { from, until, errors } = parseStatementPeriod(new URL(request.url).searchParams);
  const asked = {
    name: `conta-${params.accountId.replaceAll(/[^\w-]/g, "-")}`,
    title: params.accountId,
    of,
    from,
    until,
    errors,
  };
  return foundOr404(
    await ledgerFile(context.get(domainContext), params.file, asked),
    "Este arquivo não existe.",
  );
}

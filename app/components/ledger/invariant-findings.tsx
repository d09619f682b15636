import { counted } from "#app/domain/text.ts";
import { ChevronDown, CircleAlert, CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { formatMinute } from "#app/domain/time.ts";

type BookFinding = {
  name: string;
  title: string;
  isKnown: boolean;
  isByDay: boolean;
  wholeAt: number | null;
  brokenCount: number;
  brokenSince: number | null;
  example: string | null;
  /** Path of the page where staff correct the violation. */
  mendedAt: string | null;
};

/**
 * Ledger invariants as last checked: broken ones are visible, the others collapse under their
 * count.
 */
export function InvariantFindings({
  findings,
  checkedAt,
}: {
  findings: BookFinding[];
  checkedAt: number | null;
}) {
  const broken = findings.filter(({ brokenCount }) => brokenCount > 0);
  const whole = findings.filter(({ brokenCount }) => brokenCount === 0);
  const unknownCount = whole.filter(({ isKnown }) => !isKnown).length;
  return (
    <section aria-labelledby="rules" className="flex flex-col gap-3">
      <h2 id="rules" className="text-heading">
        Regras
      </h2>
      {broken.length > 0 ? (
        <Card className="p-0">
          <List findings={broken} />
        </Card>
      ) : null}
      {whole.length > 0 ? (
        <details className="group rounded-card border border-line bg-card">
          <summary className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 font-semibold">
            {unknownCount > 0 ? (
              <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-muted" />
            ) : (
              <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-leaf" />
            )}
            <span>
              {[
                ...(whole.length > unknownCount ? [rulesText(whole.length - unknownCount)] : []),
                ...(unknownCount > 0
                  ? [`${counted(unknownCount, "não conferida", "não conferidas")} na última vez`]
                  : []),
              ].join(", ")}
            </span>
            <ChevronDown
              aria-hidden="true"
              className="ml-auto size-5 shrink-0 text-muted group-open:rotate-180 sm:order-last"
            />
            {checkedAt === null ? null : (
              <span className="basis-full text-small font-normal text-muted sm:basis-auto">
                última conferência em {formatMinute(checkedAt)}
              </span>
            )}
          </summary>
          <p className="border-t border-line px-5 py-3 text-small text-muted">
            De cinco em cinco minutos olhamos o que se moveu desde a última vez; uma vez por noite,
            e em “Conferir agora”, tudo desde o começo. Uma regra quebrada é olhada por inteiro até
            voltar a fechar.
          </p>
          <div className="border-t border-line">
            <List findings={whole} />
          </div>
        </details>
      ) : null}
    </section>
  );
}

const rulesText = (count: number): string =>
  counted(count, "conferência, certa", "conferências, todas certas");

function List({ findings }: { findings: BookFinding[] }) {
  return (
    <ul className="divide-y divide-line">
      {findings.map((finding) => (
        <Finding key={finding.name} finding={finding} />
      ))}
    </ul>
  );
}

function Finding({ finding }: { finding: BookFinding }) {
  const holds = finding.brokenCount === 0;
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <p className="flex items-start gap-3">
        {holds ? (
          <CircleCheck
            aria-hidden="true"
            className={`mt-0.5 size-5 shrink-0 ${finding.isKnown ? "text-leaf" : "text-muted"}`}
          />
        ) : (
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-refusal" />
        )}
        <span>
          {finding.title}
          <span className="sr-only">
            {holds ? (finding.isKnown ? ": certo" : ": não conferida na última vez") : ": quebrada"}
          </span>
          {finding.wholeAt === null ? null : (
            <span className="block text-small text-muted">
              Por inteiro em {formatMinute(finding.wholeAt)}
              {finding.isByDay ? "" : "; outra vez depois das 4h"}
            </span>
          )}
          {finding.brokenSince === null ? null : (
            <span className="block text-small text-muted">
              {counted(finding.brokenCount, "caso", "casos")}, quebrada desde{" "}
              {formatMinute(finding.brokenSince)}. O primeiro:
            </span>
          )}
        </span>
      </p>
      {holds || finding.mendedAt === null ? null : (
        <Link
          to={finding.mendedAt}
          className="self-start font-semibold text-leaf underline underline-offset-4"
        >
          Ver e resolver
        </Link>
      )}
      {finding.example === null ? null : (
        // Scrolls by keyboard too.
        <pre tabIndex={0} className="overflow-x-auto rounded-field bg-sand p-3 text-caption">
          {finding.example}
        </pre>
      )}
    </li>
  );
}

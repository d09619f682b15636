import { Table, Td } from "#app/components/ui/table.tsx";
import type { Cohort } from "#app/domain/analytics/people/schema.ts";
import { percentText } from "./format.ts";

/** The shades of a share, weakest first. Text stays readable on each. */
const SHADES = ["bg-card", "bg-signal/10", "bg-signal/20", "bg-signal/30", "bg-signal/40"] as const;

const shadeOf = (share: number): string =>
  SHADES[Math.min(SHADES.length - 1, Math.floor(share * SHADES.length))] ?? SHADES[0];

const MONTH = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "UTC",
  month: "short",
  year: "numeric",
});

/** Formats `2026-11` as "nov. de 2026". */
export const cohortText = (month: string): string =>
  MONTH.format(new Date(`${month}-15T00:00:00Z`));

/** How many of those who began in a month are still there, month by month, shaded by their share. */
export function CohortTable({ cohorts }: { cohorts: readonly Cohort[] }) {
  const months = Math.max(0, ...cohorts.map(({ retained }) => retained.length));
  return (
    <Table
      caption="Quem continua, por mês de chegada"
      scrolls
      columns={[
        { title: "Chegaram em" },
        { title: "Pessoas", numeric: true },
        ...Array.from({ length: months }, (_, at) => ({
          title: at === 0 ? "No mês" : `+${at}`,
          numeric: true,
        })),
      ]}
    >
      <tbody>
        {cohorts.map(({ month, size, retained }) => (
          <tr key={month}>
            <Td className="whitespace-nowrap">{cohortText(month)}</Td>
            <Td numeric>{size}</Td>
            {Array.from({ length: months }, (_, at) => {
              const count = retained[at];
              return count === undefined ? (
                <Td key={at} numeric>
                  <span aria-hidden="true">–</span>
                </Td>
              ) : (
                <Td
                  key={at}
                  numeric
                  className={shadeOf(count / size)}
                  title={`${count} de ${size}`}
                >
                  {percentText(count / size)}
                </Td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

import { BarChart } from "./bar-chart.tsx";
import { ChartSection } from "./chart-section.tsx";
import { countText, percentText } from "./format.ts";
import { Td } from "#app/components/ui/table.tsx";
import type { RetentionPoint } from "#app/domain/analytics/posts/rules.ts";

/** How much of a post's file was played, as a curve and as its table. */
export function RetentionSection({
  postId,
  retention,
  query,
}: {
  postId: string;
  retention: readonly RetentionPoint[];
  query: string;
}) {
  const half = retention.find(({ percent }) => percent === 50)?.share ?? null;
  return (
    <ChartSection
      id="retencao"
      title="Quanto ouviram ou viram"
      csv={`/analytics/files/retencao.csv${query}&post=${postId}`}
      folds
      isEmpty={retention.length === 0}
      chart={
        retention.length === 0 ? undefined : (
          <BarChart
            title="Retenção"
            description={`Em ${percentText(half)} das reproduções foi ouvida ou vista pelo menos a metade. Os valores estão na tabela abaixo.`}
            format={percentText}
            most={1}
            bars={retention.map(({ percent, share }) => ({ label: `${percent}%`, value: share }))}
          />
        )
      }
      note={
        retention.length === 0
          ? "Quando alguém terminar de ouvir ou ver, você vê aqui quanto foi."
          : "De todas as reproduções destes dias que disseram quanto tocaram, a parte em que se ouviu ou viu pelo menos tanto do arquivo. Um trecho pulado não conta."
      }
      columns={[
        { title: "Pelo menos" },
        { title: "Reproduções", numeric: true },
        { title: "Parte", numeric: true },
      ]}
    >
      <tbody>
        {retention.map(({ percent, plays, share }) => (
          <tr key={percent}>
            <Td>{percent}%</Td>
            <Td numeric>{countText(plays)}</Td>
            <Td numeric>{percentText(share)}</Td>
          </tr>
        ))}
      </tbody>
    </ChartSection>
  );
}

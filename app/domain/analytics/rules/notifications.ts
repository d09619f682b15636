import type { AnalyticsMessage, WeekSums } from "#app/domain/analytics/schema/outbox.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { counted, quoted } from "#app/domain/text.ts";

/** The weekly summary of a creator's numbers. */
export const analyticsNotifications: NotificationRenderers<AnalyticsMessage> = {
  "analytics.week": ({ personId, fromDay, untilDay, week, weekBefore, topPost }) => {
    const days = `De ${dayText(fromDay)} a ${dayText(untilDay)}`;
    const lines = [
      moneyLine(week, weekBefore),
      `Visitas: ${counted(week.visitors, "visitante", "visitantes")}${compared(week.visitors, weekBefore.visitors)}.`,
      `Pessoas: ${counted(week.follows, "novo seguidor", "novos seguidores")}, ${counted(week.starts, "nova assinatura", "novas assinaturas")} e ${counted(week.ends, "saída", "saídas")}.`,
      ...(topPost
        ? [
            `A mais vista: ${quoted(topPost.postTitle)}, aberta ${counted(topPost.views, "vez", "vezes")}.`,
          ]
        : []),
    ];
    return [
      {
        personId,
        kind: "analytics.week",
        body: `Sua semana: ${formatMoney(week.netCents)} líquidos, ${counted(week.visitors, "visitante", "visitantes")} e ${counted(week.starts, "nova assinatura", "novas assinaturas")}.`,
        path: `/analytics?range=own&from=${fromDay}&until=${untilDay}`,
        mail: {
          subject: `Sua semana no Coreto: ${formatMoney(week.netCents)} e ${counted(week.visitors, "visitante", "visitantes")}`,
          body: [`${days}, na sua página:`, ...lines].join("\n\n"),
          button: "Ver os números",
        },
      },
    ];
  },
};

const moneyLine = (week: WeekSums, before: WeekSums): string =>
  `Dinheiro: ${formatMoney(week.netCents)} líquidos${week.netCents === before.netCents ? "" : `; na semana anterior, ${formatMoney(before.netCents)}`}.`;

const compared = (now: number, before: number): string =>
  now === before ? ", como na semana anterior" : `; na semana anterior, ${before}`;

/** Formats `2026-11-09` as "09/11". */
const dayText = (iso: string): string => iso.slice(5).split("-").toReversed().join("/");

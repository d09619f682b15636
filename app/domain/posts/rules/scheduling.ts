import type { AccessRule } from "#app/domain/access/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import { joinNames } from "#app/domain/posts/rules.ts";
import type { PostState } from "./composing.ts";
import { parseCivilMoment } from "./moment.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type Sending = {
  state: PostState | "new";
  /** The stored publication time, and the typed one, as `datetime-local` values. Empty: now. */
  scheduled: string;
  publishAt: string;
};

/** Returns what a composer's main button does: publish, schedule for when, or save. */
export function sendLabel({ state, scheduled, publishAt }: Sending): string {
  if (state === "published") return "Salvar alterações";
  if (state === "scheduled" && publishAt === scheduled) return "Salvar agendamento";
  const at = parseCivilMoment(publishAt);
  if (at !== null && at !== "invalid") return `Agendar para ${formatMinute(at)}`;
  return state === "scheduled" ? "Publicar agora" : "Publicar";
}

type Plans = readonly { id: string; name: string }[];

/** Returns what its author reads of a post that is not out: since when it is out, and for whom. */
export function unpublishedText(
  scheduledAt: Instant | null,
  rules: readonly AccessRule[],
  plans: Plans,
): string {
  if (scheduledAt === null) return "Rascunho: só você vê.";
  return `Agendada: só você vê até ${formatMinute(scheduledAt)}, pelo horário de Brasília. Depois, abre ${audienceText(rules, plans)}.`;
}

/**
 * Returns every way into a post, with those that open later: "para quem segue; para todo mundo a
 * partir de …".
 */
function audienceText(rules: readonly AccessRule[], plans: Plans): string {
  const byPlan = rules.filter((rule) => rule.kind === "plan");
  const names = plans
    .filter((plan) => byPlan.some((rule) => rule.planId === plan.id))
    .map((plan) => plan.name);
  const others = rules.filter((rule) => rule.kind !== "plan");
  return [...others, ...byPlan.slice(0, 1)]
    .map((rule) => {
      const later = rule.opensAt === null ? "" : ` a partir de ${formatMinute(rule.opensAt)}`;
      return `para ${whoOf(rule, names)}${later}`;
    })
    .join("; ");
}

function whoOf(rule: AccessRule, planNames: string[]): string {
  if (rule.kind === "public") return "todo mundo";
  if (rule.kind === "followers") return "quem segue";
  if (rule.kind === "price")
    return rule.amountCents === null
      ? "quem comprar"
      : `quem comprar por ${formatMoney(rule.amountCents)}`;
  return rule.kind === "plan" && planNames.length > 0
    ? `quem assina ${joinNames(planNames)}`
    : "quem assina";
}

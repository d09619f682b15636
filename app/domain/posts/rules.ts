import { comparableMonthlyCents } from "#app/domain/access/rules.ts";
import { planWayLabel, planWayPath } from "#app/domain/access/rules/plan-way.ts";
import type { AccessRule, LockReason, PlanInterval, Unlock } from "#app/domain/access/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PostAudience, Post } from "./schema.ts";
import { formatMinute } from "#app/domain/time.ts";

/** Replaces the title of a deleted person's post. */
export const DELETED_TITLE = "Publicação excluída";

/** Returns the access rules of an answer to "Quem pode ver". */
export function rulesOfAudience(audience: PostAudience, planIds: string[]): AccessRule[] {
  const rule = { planId: null, amountCents: null, opensAt: null };
  if (audience === "plans") return planIds.map((planId) => ({ ...rule, kind: "plan", planId }));
  return [{ ...rule, kind: audience }];
}

/** Returns the widest of a post's rules in the API's terms. Source: issue 2, "The API of the spec". */
export function typeVisibilityOf(
  rules: AccessRule[],
): "public" | "followers" | "subscribers" | "plans" | "paid" {
  const kinds = new Set(rules.map((rule) => rule.kind));
  if (kinds.has("public")) return "public";
  if (kinds.has("followers")) return "followers";
  if (kinds.has("subscribers")) return "subscribers";
  if (kinds.has("plan")) return "plans";
  return kinds.has("price") ? "paid" : "subscribers";
}

/** Returns the public path of a post. It is the one to share, and search engines index it. */
export function publicPostPath(username: string, postId: string): string {
  return `/space/${username}/public/${postId}`;
}

/**
 * Returns the audience beside the time on a card: "Público", "Quem segue", "Quem assina", or the
 * names of the plans.
 */
export function audienceLabel(rules: AccessRule[], plans: { id: string; name: string }[]): string {
  const kind = typeVisibilityOf(rules);
  if (kind === "plans" && plans.length > 0) return joinNames(plans.map((plan) => plan.name));
  const labels = {
    public: "Público",
    followers: "Quem segue",
    subscribers: "Quem assina",
    plans: "Planos",
    paid: "Avulso",
  };
  return labels[kind];
}

/** Returns a sentence that says why a post is locked. */
export function lockText(post: Pick<Post, "access" | "plans" | "author">): string {
  if (post.access.visible) return "";
  const ways = post.access.reasons
    .map((reason) => wayIn(reason, post.plans))
    .filter((way) => way !== null);
  const later = post.access.reasons.find((reason) => reason.kind === "opens_later");
  if (ways.length === 0)
    return later
      ? `Abre em ${formatMinute(later.opensAt)}.`
      : "Esta publicação não está disponível.";
  const text = `Esta publicação é de ${joinNames(ways)}`;
  return later ? `${text}. Para mais gente, abre em ${formatMinute(later.opensAt)}.` : `${text}.`;
}

/** Returns the label of an unlock button: "Assinar Camarim por R$ 19,90/mês", "Voltar agora". */
export function unlockLabel(unlock: Unlock, author: { name: string }): string {
  if (unlock.kind === "follow") return `Seguir ${author.name} para ver`;
  if (unlock.kind === "price") return `Comprar por ${formatMoney(unlock.amountCents)}`;
  if (unlock.kind === "collection")
    return `Comprar a coleção por ${formatMoney(unlock.amountCents)}`;
  const label = planWayLabel(unlock.way);
  if (label !== null || unlock.kind === "subscription") return label ?? "Ver minha assinatura";
  const verb = unlock.way.kind === "change_plan" ? "Mudar para" : "Assinar";
  return `${verb} ${unlock.planName} por ${formatMoney(unlock.amountCents)}/${shortInterval(unlock.interval)}`;
}

/** URL parameter of the post whose button led to a plan. After the payment its page links back. */
export const ORIGIN_POST_PARAMETER = "from";

/** Returns the path of an unlock button. Following has no path: it is a form. */
export function unlockPath(unlock: Exclude<Unlock, { kind: "follow" }>, postId: string): string {
  if (unlock.kind === "price") return `/checkout?post=${postId}`;
  if (unlock.kind === "collection") return `/checkout?collection=${unlock.collectionId}`;
  const path = planWayPath(unlock.way, unlock);
  if (unlock.kind === "subscription") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${ORIGIN_POST_PARAMETER}=${postId}`;
}

/**
 * Where all ways into a locked post are: the plans of its creator's page. That page remembers the
 * post, for its payer to go back to.
 */
export const waysInPath = (post: { id: string; author: { username: string } }): string =>
  `/space/${post.author.username}?${ORIGIN_POST_PARAMETER}=${post.id}#planos`;

/**
 * Returns the lowest price a month that a creator sells, for "Assinar · a partir de"; null when
 * nothing is sold.
 */
export function lowestMonthlyCents(
  prices: { interval: PlanInterval; amountCents: Cents }[],
): Cents | null {
  const monthly = prices.map(comparableMonthlyCents);
  return monthly.length > 0 ? Math.min(...monthly) : null;
}

function shortInterval(interval: PlanInterval): string {
  return {
    weekly: "semana",
    monthly: "mês",
    quarterly: "trimestre",
    semiannual: "semestre",
    annual: "ano",
  }[interval];
}

function wayIn(reason: LockReason, plans: { id: string; name: string }[]): string | null {
  if (reason.kind === "followers") return "quem segue";
  if (reason.kind === "subscribers") return "quem assina";
  if (reason.kind === "price") return `quem compra por ${formatMoney(reason.amountCents)}`;
  if (reason.kind !== "plans") return null;
  const names = plans.filter((plan) => reason.planIds.includes(plan.id)).map((plan) => plan.name);
  return names.length > 0 ? `quem assina ${joinNames(names)}` : "quem assina";
}

/** Joins names: "A", "A ou B", "A, B ou C". */
export function joinNames(names: string[]): string {
  const last = names.at(-1) ?? "";
  return names.length <= 1 ? last : `${names.slice(0, -1).join(", ")} ou ${last}`;
}

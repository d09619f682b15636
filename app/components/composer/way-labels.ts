import type { AccessWay } from "#app/domain/posts/schema/composing.ts";

const WAY_LABELS: Record<AccessWay, string> = {
  public: "Todo mundo",
  followers: "Quem segue",
  subscribers: "Quem assina",
  plans: "Alguns planos",
  price: "Quem comprar",
};

/** Says who can see a post, from the chosen ways: "Quem segue, Quem assina". */
export function waysText(ways: string[]): string {
  const names = ways.flatMap((way) => (way in WAY_LABELS ? WAY_LABELS[way as AccessWay] : []));
  return names.length === 0 ? "Ninguém ainda" : names.join(", ");
}

import { INVITATION_NAME } from "#app/domain/analytics/links/rules.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import type { ViewDimension } from "#app/domain/analytics/views/schema.ts";

export const DIMENSION_LABELS: Record<ViewDimension, { title: string; column: string }> = {
  referrer: { title: "De onde vieram", column: "Site" },
  campaign: { title: "Campanhas", column: "Campanha" },
  link: { title: "Seus links", column: "Link" },
  device: { title: "Aparelhos", column: "Aparelho" },
  country: { title: "Países", column: "País" },
};

const DEVICES: Record<string, string> = {
  phone: "Celular",
  tablet: "Tablet",
  desktop: "Computador",
  other: "Outro aparelho",
};
const COUNTRY = new Intl.DisplayNames("pt-BR", { type: "region", fallback: "code" });

/** How a value of a dimension is shown. */
export function sourceText(dimension: ViewDimension, value: string): string {
  if (value === "outros") return "Outros";
  if (dimension === "link") return value === INVITATION_SLUG ? INVITATION_NAME : value;
  if (dimension === "device") return DEVICES[value] ?? value;
  if (dimension === "country") return COUNTRY.of(value) ?? value;
  return value;
}

/**
 * Pages of settings that others stand below, by their path with `:id` for any name; those of the
 * menu are beside the page on a wide screen.
 */
const PARENTS: Record<string, { label: string; isInMenu?: true }> = {
  "/settings/profile": { label: "Página pública", isInMenu: true },
  "/settings/teams": { label: "Equipes", isInMenu: true },
  "/settings/teams/:id": { label: "Equipe" },
  "/settings/subscriptions": { label: "Assinaturas", isInMenu: true },
  "/settings/subscriptions/:id": { label: "Assinatura" },
  "/settings/purchases": { label: "Compras", isInMenu: true },
  "/settings/purchases/:id": { label: "Compra" },
  "/settings/feeds": { label: "Feeds particulares", isInMenu: true },
  "/settings/feeds/:id": { label: "Feed" },
  "/settings/billing": { label: "Pagamentos", isInMenu: true },
  "/settings/transactions": { label: "Extrato", isInMenu: true },
  "/settings/transactions/:id": { label: "Pagamento" },
  "/settings/transactions/disputes": { label: "Contestações", isInMenu: true },
  "/settings/transactions/disputes/:id": { label: "Contestação" },
  "/settings/transfers": { label: "Saques", isInMenu: true },
  "/settings/transfers/debt": { label: "Valor a descontar" },
  "/settings/check-documents": { label: "Documentos", isInMenu: true },
};

const MENU = { to: "/settings", label: "Ajustes", isInMenu: true };
/** Names that are no team's, and no page either. */
const NO_PAGES = new Set([
  "/settings/teams/manage",
  "/settings/teams/invitations",
  "/settings/teams/suggestions",
]);
/** Pages with an entry of their own in the menu, below another's. */
const ENTRIES = new Set(["/settings/billing/details", "/settings/transactions/disputes"]);

/**
 * Where the back link of a page of settings leads, always one step: to what it is about, from there
 * to the list of those, and else to the menu, which a wide screen shows beside the page.
 */
export function settingsBack(pathname: string): { to: string; label: string; isInMenu: boolean } {
  const parts = pathname.split("/").filter((part) => part !== "");
  if (ENTRIES.has(`/${parts.join("/")}`)) return MENU;
  // Gifts are listed among what was bought.
  if (parts[1] === "gifts")
    return settingsBack(["/settings/purchases", ...parts.slice(2)].join("/"));
  for (let length = parts.length - 1; length > 1; length -= 1) {
    const to = `/${parts.slice(0, length).join("/")}`;
    const parent = PARENTS[to] ?? PARENTS[to.replace(/[^/]+$/, ":id")];
    if (parent && !NO_PAGES.has(to))
      return { to, label: parent.label, isInMenu: parent.isInMenu ?? false };
  }
  return MENU;
}

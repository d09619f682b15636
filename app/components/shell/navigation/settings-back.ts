/**
 * Settings pages that have pages below them, by path with `:id` for any name. Pages of the menu
 * stand beside it on a wide screen.
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
/** Paths that look like a team's and are neither a team nor a page. */
const NO_PAGES = new Set([
  "/settings/teams/manage",
  "/settings/teams/invitations",
  "/settings/teams/suggestions",
]);
/** Pages with a menu entry of their own, below another page's path. */
const ENTRIES = new Set(["/settings/billing/details", "/settings/transactions/disputes"]);

/**
 * Target of a settings page's back link, always one step up. A page leads to its object, an object
 * to its list, and a list to the menu. A wide screen shows the menu beside the page.
 */
export function settingsBack(pathname: string): { to: string; label: string; isInMenu: boolean } {
  const parts = pathname.split("/").filter((part) => part !== "");
  if (ENTRIES.has(`/${parts.join("/")}`)) return MENU;
  // Gifts appear in the list of purchases.
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

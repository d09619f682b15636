/** Where the back link of a page of settings leads: from what is done with a subscription to it, from one to all of them, and else to the menu, which a wide screen shows beside the page. */
export function settingsBack(pathname: string): { to: string; label: string; isInMenu: boolean } {
  const [, id, rest] = /^\/settings\/subscriptions\/([^/]+)(\/[^/].*)?/.exec(pathname) ?? [];
  if (id !== undefined && rest !== undefined) return { to: `/settings/subscriptions/${id}`, label: "Assinatura", isInMenu: false };
  return id === undefined ? { to: "/settings", label: "Ajustes", isInMenu: true } : { to: "/settings/subscriptions", label: "Assinaturas", isInMenu: true };
}

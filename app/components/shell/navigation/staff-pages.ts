/** The parts of the staff's pages, as their tabs and the palette list them. */
export const STAFF_PAGES: { to: string; label: string; end?: false }[] = [
  { to: "/admin", label: "O que espera" },
  { to: "/admin/reports", label: "Denúncias", end: false },
  { to: "/admin/documents", label: "Documentos", end: false },
  { to: "/admin/disputes", label: "Contestações", end: false },
  { to: "/admin/payouts", label: "Saques", end: false },
  { to: "/admin/metrics", label: "Métricas" },
  { to: "/admin/news", label: "Novidades", end: false },
  { to: "/admin/fees", label: "Taxas" },
  { to: "/admin/fiscal", label: "Notas", end: false },
  { to: "/admin/margin", label: "Margem", end: false },
  { to: "/admin/ledger", label: "Livro-razão" },
  { to: "/admin/reconciliation", label: "Conciliação", end: false },
];

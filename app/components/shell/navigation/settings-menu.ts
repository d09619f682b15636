type SettingsItem = { to: string; label: string; hint: string };
/** Settings that a team member may open for a page; all of them for one's own. */
export type SettingsOf = {
  isCreator: boolean;
  editsPlans: boolean;
  seesMoney: boolean;
  managesBilling: boolean;
};
export type SettingsGroup = { title: string; items: SettingsItem[] };

/** Settings menu. Groups and entries used more often come first. */
export function settingsMenu({
  isCreator,
  editsPlans,
  seesMoney,
  managesBilling,
}: SettingsOf): SettingsGroup[] {
  const selling = [
    ...(editsPlans ? [SUBSCRIBERS] : []),
    ...(seesMoney ? [PAYOUTS, DISPUTES] : []),
    ...(managesBilling ? BILLING : []),
  ];
  return [
    {
      title: "Conta",
      items: [
        { to: "/settings/profile", label: "Página pública", hint: "Nome, foto, sobre você" },
        { to: "/auth/account", label: "Acesso e segurança", hint: "E-mail e aparelhos conectados" },
        {
          to: "/settings/notifications",
          label: "Preferências de notificação",
          hint: "O que avisar, e por onde",
        },
        { to: "/settings/connections", label: "Conexões", hint: "Quem você segue e bloqueou" },
        { to: "/settings/teams", label: "Equipes", hint: "Quem cuida de uma página junto" },
        { to: "/settings/reports", label: "Minhas denúncias", hint: "E o que aconteceu depois" },
      ],
    },
    {
      title: "O que você paga",
      items: [
        {
          to: "/settings/subscriptions",
          label: "Assinaturas",
          hint: "Planos, renovações, cancelamento",
        },
        {
          to: "/settings/purchases",
          label: "Compras",
          hint: "Publicações e coleções que são suas",
        },
        { to: "/settings/feeds", label: "Feeds particulares", hint: "Ouvir e ler fora do Coreto" },
        { to: "/settings/billing", label: "Pagamentos", hint: "Formas de pagamento e cobranças" },
        {
          to: "/settings/billing/details",
          label: "Dados de cobrança",
          hint: "O que aparece nos recibos",
        },
        { to: "/settings/transactions", label: "Extrato", hint: "Tudo o que entrou e saiu" },
      ],
    },
    ...(isCreator && selling.length > 0 ? [{ title: "O que você recebe", items: selling }] : []),
    {
      title: "Sobre",
      items: [
        {
          to: "/settings/policies",
          label: "Termos e privacidade",
          hint: "O que você aceitou, e quando",
        },
      ],
    },
  ];
}

const SUBSCRIBERS: SettingsItem = {
  to: "/me/subscribers",
  label: "Assinantes",
  hint: "Quem assina a página",
};
const PAYOUTS: SettingsItem = {
  to: "/settings/transfers",
  label: "Saques",
  hint: "Saldo, saques e prazos",
};
const DISPUTES: SettingsItem = {
  to: "/settings/transactions/disputes",
  label: "Contestações",
  hint: "Pagamentos pedidos de volta pelo banco",
};
const BILLING: SettingsItem[] = [
  {
    to: "/settings/withdrawal-method",
    label: "Chave ou conta",
    hint: "Para onde vai o seu dinheiro",
  },
  { to: "/settings/check-documents", label: "Documentos", hint: "Quem vende, e a conferência" },
];

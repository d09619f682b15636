/** Where a notification is shown. */
export const NOTIFICATION_CHANNELS = ["app", "mail", "push"] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** `on`: a person may switch it off. `always`: nobody may. `none`: the kind does not use it. */
type ChannelRule = "on" | "always" | "none";

/** The parts of the list of notifications, and of its settings. */
export const NOTIFICATION_SECTIONS = {
  people: "Pessoas",
  posts: "Publicações",
  money: "Dinheiro",
  account: "Conta",
} as const;
type NotificationSection = keyof typeof NOTIFICATION_SECTIONS;

type KindRule = {
  section: NotificationSection;
  label: string;
  /** When it comes. */
  hint: string;
  /** Completes "Você recebe este e-mail porque …". */
  reason: string;
  app: ChannelRule;
  mail: ChannelRule;
  /** Only to the devices where the person asked for it. */
  push: ChannelRule;
  /** About money, access or the law: it goes before what goes to many, in quiet hours too. */
  isUrgent?: true;
};

/**
 * What notifications are about. Security, moderation, documents, disputes, and what somebody pays
 * or is owed cannot be switched off: the law or the person's money depends on it.
 */
export const NOTIFICATION_KINDS = {
  comment: {
    section: "people",
    label: "Comentários",
    hint: "Quando alguém comenta no que você publicou. Vários viram um aviso só.",
    reason: "alguém comentou no que você publicou",
    app: "on",
    mail: "on",
    push: "on",
  },
  reply: {
    section: "people",
    label: "Respostas",
    hint: "Quando alguém responde a um comentário seu. Várias viram um aviso só.",
    reason: "alguém respondeu a um comentário seu",
    app: "on",
    mail: "on",
    push: "on",
  },
  mention: {
    section: "people",
    label: "Menções",
    hint: "Quando alguém escreve o seu @ em um comentário.",
    reason: "alguém mencionou você",
    app: "on",
    mail: "on",
    push: "on",
  },
  like: {
    section: "people",
    label: "Curtidas",
    hint: "Quando curtem o que você publicou. Várias viram um aviso só.",
    reason: "curtiram o que você publicou",
    app: "on",
    mail: "none",
    push: "on",
  },
  follow: {
    section: "people",
    label: "Seguidores",
    hint: "Quando começam a seguir você. Vários viram um aviso só.",
    reason: "começaram a seguir você",
    app: "on",
    mail: "none",
    push: "on",
  },
  message: {
    section: "people",
    label: "Mensagens",
    hint: "Quando alguém escreve para você e você não está na conversa.",
    reason: "alguém escreveu para você",
    app: "on",
    mail: "none",
    push: "on",
  },
  post: {
    section: "posts",
    label: "Publicações novas",
    hint: "De quem você segue ou assina. Por e-mail, só quando quem publica escolhe.",
    reason: "você segue ou assina quem publicou",
    app: "on",
    mail: "on",
    push: "on",
  },
  event: {
    section: "posts",
    label: "Eventos com a sua vaga",
    hint: "A sua vaga, a fila, as mudanças e os lembretes. Um cancelamento também vem por aqui.",
    reason: "você tem ou espera uma vaga em um evento",
    app: "always",
    mail: "on",
    push: "on",
  },
  subscriber: {
    section: "money",
    label: "Assinantes",
    hint: "Quando alguém assina a sua página ou muda de plano. Vários viram um aviso só.",
    reason: "você vende assinaturas",
    app: "on",
    mail: "on",
    push: "on",
  },
  sale: {
    section: "money",
    label: "Vendas, apoios e presentes",
    hint: "Quando alguém compra, apoia ou dá de presente algo seu. Por e-mail, só os apoios.",
    reason: "você vende no Coreto",
    app: "on",
    mail: "on",
    push: "on",
  },
  summary: {
    section: "money",
    label: "Resumo da semana",
    hint: "Na segunda-feira: o que você recebeu, quem visitou e quem chegou na semana anterior.",
    reason: "você publica no Coreto",
    app: "on",
    mail: "on",
    push: "on",
  },
  payout: {
    section: "money",
    label: "Saques",
    hint: "Quando o dinheiro chega à sua conta.",
    reason: "você saca dinheiro pelo Coreto",
    app: "always",
    mail: "on",
    push: "on",
    isUrgent: true,
  },
  gift: {
    section: "money",
    label: "Presentes e cortesias",
    hint: "Quando você ganha acesso, e quando resgatam o que você deu.",
    reason: "você deu ou ganhou acesso a uma página",
    app: "always",
    mail: "on",
    push: "on",
  },
  payment: {
    section: "money",
    label: "Pagamentos e assinaturas",
    hint: "O que você paga, o que volta e o que muda no que você assina.",
    reason: "ele é sobre um pagamento ou contrato seu, e a lei exige este envio",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  failure: {
    section: "money",
    label: "Falhas",
    hint: "Um pagamento ou saque que não deu certo.",
    reason: "há dinheiro seu que depende dele",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  dispute: {
    section: "money",
    label: "Contestações",
    hint: "Um pagamento que o banco pede de volta.",
    reason: "há um prazo para responder",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  team: {
    section: "account",
    label: "Equipes",
    hint: "Convites e mudanças em uma equipe sua.",
    reason: "você faz parte de uma equipe, ou foi convidado para uma",
    app: "always",
    mail: "on",
    push: "on",
  },
  document: {
    section: "account",
    label: "Documentos",
    hint: "A conferência de quem vende.",
    reason: "sem documentos em dia as vendas param",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  security: {
    section: "account",
    label: "Segurança",
    hint: "O que muda no acesso à sua conta ou para onde vai o seu dinheiro.",
    reason: "ele protege a sua conta",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  moderation: {
    section: "account",
    label: "Denúncias e decisões",
    hint: "O que decidimos sobre o que você denunciou ou publicou.",
    reason: "é uma decisão sobre você ou sobre o que você denunciou",
    app: "always",
    mail: "always",
    push: "on",
    isUrgent: true,
  },
  news: {
    section: "account",
    label: "Novidades do Coreto",
    hint: "O que chega ou muda no Coreto. No máximo uma por dia.",
    reason: "você tem uma conta no Coreto",
    app: "on",
    mail: "none",
    push: "none",
  },
  terms: {
    section: "account",
    label: "Termos de uso",
    hint: "O que muda nos termos, 15 dias antes de valer.",
    reason: "você tem uma conta no Coreto, e os termos dela mudam",
    app: "always",
    mail: "always",
    push: "none",
  },
  staff: {
    section: "account",
    label: "Equipe do Coreto",
    hint: "O que espera por quem trabalha aqui.",
    reason: "você trabalha no Coreto",
    app: "always",
    mail: "always",
    push: "none",
    isUrgent: true,
  },
} as const satisfies Record<string, KindRule>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

export const isNotificationKind = (value: string): value is NotificationKind =>
  Object.hasOwn(NOTIFICATION_KINDS, value);

/** Returns whether emails and pushes of the kind go at once, whatever the person's hours are. */
export const isUrgent = (kind: NotificationKind): boolean => "isUrgent" in NOTIFICATION_KINDS[kind];

/** Returns whether a person may switch the kind off in the channel. */
export const isOptional = (kind: NotificationKind, channel: NotificationChannel): boolean =>
  NOTIFICATION_KINDS[kind][channel] === "on";

/** One choice of a person. */
export type NotificationChoice = {
  kind: string;
  channel: string;
  isOn: boolean;
};

/**
 * The choice whether a hidden image counts that a person opened a post's email, stored beside the
 * others. It is on until they refuse. The basis is legitimate interest (LGPD, art. 7, IX), as the
 * ANPD's guide on cookies allows for measuring one's own audience: the creator sees only totals, no
 * time, network or program is stored, who opened is forgotten after thirty days, every such email
 * says so and links to the refusal.
 */
export const OPENINGS_CHOICE = { kind: "openings", channel: "mail" } as const;

/** Returns whether the openings of emails are counted by an image. `choices` are the person's. */
export const countsOpenings = (choices: readonly NotificationChoice[]): boolean =>
  choices.find(({ kind }) => kind === OPENINGS_CHOICE.kind)?.isOn ?? true;

/**
 * Returns whether a person gets the kind in the channel. `choices` are theirs; a choice about what
 * nobody may switch off counts for nothing.
 */
export function isWanted(
  choices: readonly NotificationChoice[],
  kind: NotificationKind,
  channel: NotificationChannel,
): boolean {
  if (NOTIFICATION_KINDS[kind][channel] === "none") return false;
  if (!isOptional(kind, channel)) return true;
  return choices.find((one) => one.kind === kind && one.channel === channel)?.isOn ?? true;
}

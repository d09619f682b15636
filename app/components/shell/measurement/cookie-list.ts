export type CookieInfo = { name: string; purpose: string; life: string };

/** Every cookie that we set, as /terms/cookies lists them. A test compares it with the source. */
export const COOKIE_LIST: readonly CookieInfo[] = [
  {
    name: "__Host-coreto-session",
    purpose: "Saber que é você, depois de entrar. Sem ele não há conta.",
    life: "até sair, ou 7 dias sem visita",
  },
  {
    name: "__Host-coreto-session-data",
    purpose: "Uma cópia assinada da sessão, para não perguntar por ela a cada página.",
    life: "30 segundos",
  },
  {
    name: "__Host-coreto-member",
    purpose: "Seu nome e sua foto, assinados, para não buscá-los a cada página.",
    life: "30 segundos",
  },
  {
    name: "__Host-coreto-acting",
    purpose: "De qual página você cuida agora, quando faz parte de uma equipe.",
    life: "até fechar o navegador",
  },
  {
    name: "__Host-coreto-registration",
    purpose: "Continuar o cadastro que você começou, até o código chegar.",
    life: "30 minutos",
  },
  {
    name: "__Host-coreto-second-factor",
    purpose: "Esperar o código da segunda etapa, depois da senha.",
    life: "10 minutos",
  },
  {
    name: "__Host-coreto-client",
    purpose: "Abrir os links de confirmação só no navegador em que você os pediu.",
    life: "1 hora",
  },
  {
    name: "__Host-coreto-device",
    purpose:
      "Reconhecer o navegador em que você já entrou, para que tentativas de estranhos não fechem a sua conta. Não abre nada.",
    life: "1 ano",
  },
  {
    name: "__Host-coreto-unsent",
    purpose:
      "Devolver o que você digitou para pagar, cifrado e só para você, quando a sessão termina antes do envio.",
    life: "até você entrar de novo, ou 30 minutos",
  },
  {
    name: "__Host-coreto-follow",
    purpose: "Seguir quem você pediu para seguir, assim que entrar ou criar a conta.",
    life: "até você entrar, ou 1 hora",
  },
  {
    name: "__Host-coreto-origin-post",
    purpose: "Levar você de volta à publicação que abriu, depois de assinar por ela.",
    life: "1 dia",
  },
  {
    name: "__Host-coreto-bookmark",
    purpose: "Garantir que você veja na hora o que acabou de mudar.",
    life: "10 minutos",
  },
  {
    name: "__Host-toast",
    purpose: "Mostrar uma vez o aviso do que você acabou de fazer.",
    life: "1 minuto",
  },
  {
    name: "coreto-theme",
    purpose: "Lembrar se você prefere claro, escuro ou como no aparelho.",
    life: "1 ano",
  },
  {
    name: "coreto-measurement",
    purpose: "Lembrar se você aceitou ou recusou a medição de visitas.",
    life: "1 ano",
  },
];

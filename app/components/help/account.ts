import { APPEAL_DAYS } from "#app/domain/moderation/appeals/rules.ts";
import { DELETION_GRACE_DAYS } from "#app/domain/deletion/rules.ts";
import type { HelpGroup } from "./schema.ts";

/** Answers about the account itself. */
export const ACCOUNT_GROUPS: readonly HelpGroup[] = [
  {
    id: "conta",
    title: "A sua conta",
    answers: [
      {
        id: "quem-pode",
        asked: "Quem pode ter conta?",
        text: "Quem tem 16 anos ou mais. Para vender, 18. Ver páginas abertas não pede conta; seguir, comentar, comprar e publicar pedem.",
        terms: "idade menor anos cadastro",
      },
      {
        id: "senha",
        asked: "Esqueci a senha. Como entro?",
        text: "Na tela de entrar, toque em “Esqueci minha senha” e diga como você entra: mandamos um código, e com ele você escolhe outra. Quem já entrou troca em Acesso e segurança.",
        terms: "recuperar redefinir login entrar",
        link: { to: "/auth/login", label: "Abrir a tela de entrar" },
      },
      {
        id: "chave-de-acesso",
        asked: "O que é uma chave de acesso?",
        text: "É entrar com digital, rosto ou PIN do aparelho, sem senha. Crie a sua em Acesso e segurança. Você pode ter uma em cada aparelho e apagar a que não usa mais.",
        terms: "passkey biometria digital rosto",
        link: { to: "/auth/account", label: "Abrir acesso e segurança" },
      },
      {
        id: "nome-de-usuario",
        asked: "Posso trocar o meu nome de usuário?",
        text: "Sim, em Acesso e segurança. Por um ano o endereço antigo leva à sua página e não pode ser de outra pessoa.",
        terms: "arroba @ endereço link username",
        link: { to: "/auth/account", label: "Abrir acesso e segurança" },
      },
      {
        id: "notificacoes",
        asked: "Como escolho o que o Coreto me avisa?",
        text: "Em Ajustes, Preferências de notificação: cada assunto, no Coreto, por e-mail e nos seus aparelhos, o horário de silêncio e um resumo do que você não leu. Os avisos de uma publicação só se silenciam no menu dela. No fim de cada e-mail que pode ser desligado há um endereço que o desliga, sem entrar na conta. O que protege a sua conta ou o seu dinheiro chega sempre.",
        terms: "aviso avisos e-mail email parar desligar silenciar resumo descadastrar",
        link: { to: "/settings/notifications", label: "Escolher as notificações" },
      },
      {
        id: "instalar",
        asked: "Posso instalar o Coreto no celular?",
        text: "Sim. No Android, abra o menu do navegador e toque em “Instalar app”; no iPhone, em Compartilhar e “Adicionar à Tela de Início”. Instalado, ele abre sem internet com o início que você viu por último. No Android, mande uma foto da galeria para o Coreto, e ela vira um rascunho.",
        terms: "aplicativo app offline sem conexão tela de início compartilhar foto",
      },
      {
        id: "atalhos",
        asked: "Que atalhos de teclado existem?",
        text: "Ctrl+K busca e leva a qualquer lugar. Fora de um campo, ? mostra todos os outros: j e k andam entre as publicações, l curte, g e depois i volta ao início. Na mesma lista você desliga os de uma tecla.",
        terms: "teclas ctrl k busca rápida paleta comandos",
      },
      {
        id: "conta-suspensa",
        asked: "A minha conta foi bloqueada. O que faço?",
        text: `Dizemos o motivo quando suspendemos uma conta que descumpre os termos. O e-mail da decisão traz um endereço para recorrer, uma vez, em até ${APPEAL_DAYS} dias. O dinheiro já ganho é pago, salvo o que estiver contestado ou bloqueado por ordem judicial.`,
        terms: "banida suspensa bloqueada ban recurso recorrer",
      },
      {
        id: "excluir-conta",
        asked: "Como excluo a minha conta?",
        text: `Em Acesso e segurança, excluir conta. Você tem ${DELETION_GRACE_DAYS} dias para mudar de ideia. Até lá nada é apagado, mas nada renova, e a sua página some para quem não paga. Depois os dados são apagados, menos os que a lei manda guardar.`,
        terms: "apagar deletar encerrar sair LGPD",
        link: { to: "/auth/account/deletion", label: "Excluir a conta" },
      },
    ],
  },
];

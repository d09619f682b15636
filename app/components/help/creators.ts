import { formatMoney, formatPercent } from "#app/domain/money.ts";
import type { BasisPoints } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import {
  FIRST_SALE_HOLD_MS,
  RENEWAL_HOLD_MS,
} from "#app/domain/payments/releases/rules/release-time.ts";
import {
  MAXIMUM_PRICE_CENTS,
  MAXIMUM_TRIAL_DAYS,
  MINIMUM_PRICE_CENTS,
  VACATION_DAYS_MAX,
  VACATION_DAYS_MIN,
} from "#app/domain/plans/rules/limits.ts";
import { counted } from "#app/domain/text.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { HelpAnswer, HelpGroup } from "./schema.ts";

const FIRST_DAYS = FIRST_SALE_HOLD_MS / DAY_MS;
const RENEWAL_DAYS = RENEWAL_HOLD_MS / DAY_MS;
const inDays = (count: number): string => counted(count, "dia", "dias");
const TRANSFERS = { to: "/settings/transfers", label: "Abrir os saques" };
const DOCUMENTS = { to: "/settings/check-documents", label: "Abrir os documentos" };

/** Answers for who creates. The fee is the configured one. */
export const creatorGroups = (feeBasisPoints: BasisPoints): readonly HelpGroup[] => [
  sellingGroup(feeAnswer(feeBasisPoints)),
  MONEY_GROUP,
];

const feeAnswer = (feeBasisPoints: BasisPoints): HelpAnswer => ({
  id: "taxa",
  asked: "Quanto o Coreto cobra?",
  text: `${formatPercent(feeBasisPoints)} do que foi realmente pago, arredondado ao centavo, já com o custo do Pix e do cartão. Não há mensalidade nem taxa de saque. Se você devolver um pagamento, a taxa volta junto.`,
  terms: "custo preço porcentagem tarifa comissão",
  link: { to: "/terms/creators", label: "Ler as regras para quem cria" },
});

const sellingGroup = (fee: HelpAnswer): HelpGroup => ({
  id: "vender",
  title: "Criar e vender",
  answers: [
    {
      id: "abrir-pagina",
      asked: "Como abro a minha página?",
      text: "Crie a sua conta e abra a página: nome, o que você faz e uma apresentação. Depois, os Primeiros passos levam você, uma tela de cada vez, da foto ao primeiro plano e à primeira publicação; qualquer um pode ser pulado. Publicar e ser seguido não pede documentos. Para vender, é preciso ter 18 anos e enviar os dados de quem vende.",
      terms: "começar criar perfil",
      link: { to: "/space/create", label: "Abrir a minha página" },
    },
    {
      id: "convidar",
      asked: "Como convido pessoas para a minha página?",
      text: "Nos Primeiros passos, em Convidar, estão o link da página, o convite pelo WhatsApp, o QR code e uma imagem para stories com o seu nome e o endereço, para baixar e publicar.",
      terms: "divulgar instagram stories whatsapp qr link",
      link: { to: "/me/first-steps/invitations", label: "Convidar pessoas" },
    },
    fee,
    {
      id: "planos",
      asked: "Como crio um plano?",
      text: `Dê nome, benefícios e preço, de ${formatMoney(MINIMUM_PRICE_CENTS)} a ${formatMoney(MAXIMUM_PRICE_CENTS)}, por semana, mês, trimestre, semestre ou ano. Você pode limitar lugares e dar até ${MAXIMUM_TRIAL_DAYS} dias grátis. Há sugestões para o que você faz, e o plano só aparece quando você o coloca à venda.`,
      terms: "preço assinatura benefícios grátis",
    },
    {
      id: "o-que-publicar",
      asked: "O que posso publicar, e para quem?",
      text: "Textos, imagens, vídeos, áudios e PDFs. Em cada publicação você escolhe quem vê: todo mundo, quem segue, quem assina, alguns planos, ou quem compra só aquela. Dá para guardar rascunho e marcar dia e hora.",
      terms: "post publicar agendar rascunho vídeo áudio acesso",
    },
    {
      id: "criar-cupom",
      asked: "Como crio um cupom?",
      text: `Em Cupons, escolha o código, o desconto e em quantos pagamentos ele vale. Se quiser, ponha limite de usos e prazo. O preço com desconto nunca fica abaixo de ${formatMoney(MINIMUM_PRICE_CENTS)}.`,
      terms: "desconto promoção",
      link: { to: "/me/coupons", label: "Abrir os cupons" },
    },
    {
      id: "ferias",
      asked: "Posso tirar férias?",
      text: `Sim, de ${VACATION_DAYS_MIN} a ${VACATION_DAYS_MAX} dias. Nesse tempo ninguém é cobrado nem começa a assinar, e quem assina ganha os mesmos dias a mais.`,
      terms: "descanso pausa pausar página",
      link: { to: "/me/vacation", label: "Abrir as férias" },
    },
    {
      id: "lista",
      asked: "A lista de quem assina é minha?",
      text: "Sim: baixe em planilha, com nome, plano e desde quando cada pessoa assina. As vendas também saem em planilha, e os extratos em PDF.",
      terms: "exportar baixar planilha dados",
      link: { to: "/me/subscribers", label: "Ver quem assina" },
    },
  ],
});

const MONEY_GROUP: HelpGroup = {
  id: "receber",
  title: "Receber o dinheiro",
  answers: [
    {
      id: "quando-cai",
      asked: "Quando o dinheiro fica disponível?",
      text: `O primeiro Pix de cada contratação, em ${inDays(FIRST_DAYS)}, depois do prazo de arrependimento. A renovação por Pix, em ${inDays(RENEWAL_DAYS)}. O cartão, quando a operadora repassa, em cerca de ${inDays(paymentMethods.card.settlementDays)}. Um pagamento de vários períodos é liberado período a período; um presente, depois de aberto.`,
      terms: "liberar saldo prazo a liberar",
    },
    {
      id: "sacar",
      asked: "Como saco?",
      text: "Em Ajustes, Saques, peça tudo o que estiver disponível, ou escolha uma agenda: toda segunda-feira ou todo dia 1º. O saque vai para uma chave Pix ou uma conta do mesmo CPF ou CNPJ dos documentos. O mínimo é R$ 10,00, e não há taxa.",
      terms: "saque retirar transferência pix banco",
      link: TRANSFERS,
    },
    {
      id: "saque-parado",
      asked: "Por que o meu saque está parado?",
      text: "O primeiro espera a aprovação dos documentos. Trocar a chave ou a conta segura os saques por 24 horas, para a sua proteção. Para conta bancária, o envio segue o horário dos bancos, em dias úteis. Se o banco recusar, o valor volta ao seu saldo.",
      terms: "retido bloqueado demora saque",
      link: TRANSFERS,
    },
    {
      id: "documentos",
      asked: "Que documentos vocês pedem?",
      text: "Nome completo, CPF, data de nascimento e chave Pix; de empresa, também razão social e CNPJ. Depois, fotos de RG, CNH ou passaporte, uma selfie e, de empresa, o cartão CNPJ. A venda começa assim que os dados são enviados.",
      terms: "RG CNH CPF CNPJ selfie identidade",
      link: DOCUMENTS,
    },
    {
      id: "prazo-documentos",
      asked: "Quanto tempo leva a conferência?",
      text: "Até 14 dias. Você já pode vender enquanto isso; o primeiro saque espera a aprovação. Se faltar algo, dizemos o quê, e você envia de novo na mesma tela.",
      terms: "documentos aprovação recusado análise",
      link: DOCUMENTS,
    },
    {
      id: "impostos",
      asked: "Quem paga os impostos?",
      text: "Quem vende. Imposto e nota do que você vende são seus; o Coreto entrega o extrato de cada mês e o resumo do ano, na tela e em PDF, para a sua contabilidade.",
      terms: "nota fiscal imposto de renda MEI contador",
      link: { to: "/settings/transfers/resumo", label: "Abrir o resumo do ano" },
    },
    {
      id: "contestacao",
      asked: "O que é uma contestação?",
      text: "É quando quem pagou reclama ao banco. O valor fica bloqueado até a decisão. Você recebe um aviso com o prazo e responde com provas em Ajustes, Contestações. Ganhando, o valor volta para você.",
      terms: "chargeback disputa estorno MED",
      link: { to: "/settings/transactions/disputes", label: "Abrir as contestações" },
    },
  ],
};

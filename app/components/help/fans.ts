import { paymentMethods, PIX_REFUND_DAYS } from "#app/domain/payments/methods/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { HelpGroup } from "./schema.ts";

const { pix, card } = paymentMethods;
const CODE_MINUTES = pix.checkoutExpiresAfterMs / MINUTE_MS;
const SUBSCRIPTIONS = { to: "/settings/subscriptions", label: "Abrir as minhas assinaturas" };
const PURCHASES = { to: "/settings/purchases", label: "Abrir as minhas compras" };

/** Answers for who subscribes and buys. */
export const FAN_GROUPS: readonly HelpGroup[] = [
  {
    id: "pagar",
    title: "Assinar e pagar",
    answers: [
      {
        id: "pix",
        asked: "Como pago com Pix?",
        text: `Na hora de pagar, escolha Pix. Copie o código, cole no aplicativo do seu banco, na opção Pix Copia e Cola, e confirme. A página reconhece o pagamento sozinha e se abre. O código da compra vale ${CODE_MINUTES} minutos; se passar, gere outro.`,
        terms: "copia e cola QR código",
      },
      {
        id: "pix-nao-reconhecido",
        asked: "Paguei o Pix e nada mudou. E agora?",
        text: "Espere um instante e toque em “Já paguei”: perguntamos de novo ao banco. Se o código já tinha vencido, a assinatura vale se o plano ainda for vendido e houver lugar; senão, devolvemos o dinheiro e dizemos por quê.",
        terms: "atraso demora confirmação",
      },
      {
        id: "cartao",
        asked: "Posso pagar com cartão?",
        text: `Sim, a partir de ${formatMoney(card.minimumCents)}. Abaixo disso, só Pix. O número do cartão fica só com quem processa o pagamento: o Coreto guarda apenas uma referência.`,
        terms: "crédito débito",
      },
      {
        id: "renovacao",
        asked: "Como a assinatura renova?",
        text: `No mesmo dia de cada período. No Pix, mandamos um código ${pix.renewalLeadDays} dias antes, e quem não paga não fica devendo. Com o Pix Automático autorizado, o banco debita sozinho, até você cancelar. No cartão, a renovação é cobrada nele. Se uma renovação falhar, você tem ${GRACE_DAYS} dias de acesso para acertar; depois a assinatura termina.`,
        terms: "mensalidade cobrança automática pix automático",
      },
      {
        id: "outra-pessoa-paga",
        asked: "Outra pessoa pode pagar por mim?",
        text: "Pode. Na página do código Pix, toque em “Pedir para alguém pagar” e mande o endereço. Quem recebe paga sem ter conta, e a assinatura continua sua.",
        terms: "dividir compartilhar código",
      },
      {
        id: "cupom",
        asked: "Como uso um cupom?",
        text: "Na tela de pagamento, abra o campo do cupom, escreva o código e aplique. O preço com desconto aparece antes de você pagar. Cada pessoa usa um cupom uma vez, e ele pode ter prazo, limite de usos e valer só para alguns planos.",
        terms: "desconto promoção código",
      },
      {
        id: "presente",
        asked: "Como dou um plano de presente?",
        text: "Na página de quem cria, escolha o plano e dê de presente. Você paga uma vez, e nada renova. Quem recebe tem um ano para abrir; se ninguém abrir, devolvemos tudo.",
        terms: "gift presentear",
      },
      {
        id: "preco-muda",
        asked: "O preço da minha assinatura pode subir?",
        text: "Só se você concordar. Um preço novo vale para assinaturas novas. Para a sua mudar, perguntamos antes, e sem o seu sim ela não passa para o preço novo.",
        terms: "aumento reajuste",
      },
    ],
  },
  {
    id: "parar",
    title: "Cancelar e receber de volta",
    answers: [
      {
        id: "cancelar",
        asked: "Como cancelo uma assinatura?",
        text: "Em Ajustes, Assinaturas, abra a assinatura e toque em cancelar. Nada mais é cobrado, e o acesso continua até o fim do período que já foi pago.",
        terms: "parar encerrar terminar",
        link: SUBSCRIPTIONS,
      },
      {
        id: "pausar",
        asked: "Posso pausar em vez de cancelar?",
        text: "Sim, por um mês, uma vez em cada período pago. Abra a assinatura em Ajustes e escolha pausar: antes de confirmar você vê em que dia ela volta. Durante a pausa nada é cobrado, o acesso fica fechado, e os dias que faltavam ficam guardados.",
        link: SUBSCRIPTIONS,
      },
      {
        id: "arrependimento",
        asked: "Me arrependi. Recebo o dinheiro de volta?",
        text: "Sim, em até 7 dias de cada contratação, como manda o Código de Defesa do Consumidor (art. 49). Abra a assinatura ou a compra em Ajustes e desista: devolvemos tudo, sem perguntar o motivo, e o acesso termina junto.",
        terms: "reembolso devolução 7 dias desistir estorno",
        link: PURCHASES,
      },
      {
        id: "onde-cai-o-reembolso",
        asked: "Onde e quando cai o reembolso?",
        text: `O Pix volta para a conta de onde saiu. O cartão volta na fatura. Um Pix com mais de ${PIX_REFUND_DAYS} dias é devolvido por transferência, para a chave que você informar.`,
        terms: "estorno fatura devolução prazo",
      },
      {
        id: "recibo",
        asked: "Onde está o meu recibo?",
        text: "Em Ajustes, Extrato, abra o pagamento: o recibo se abre na tela e em PDF, com o nome e o CPF ou CNPJ de quem vendeu.",
        terms: "comprovante nota PDF",
        link: { to: "/settings/transactions", label: "Abrir o extrato" },
      },
      {
        id: "pagina-fechou",
        asked: "E se a página que eu assino fechar?",
        text: "Se quem cria fechar a página, for banido ou apagar o que você comprou, devolvemos os dias não usados e a compra, sem você pedir.",
        terms: "encerrou sumiu banido",
      },
    ],
  },
  {
    id: "acesso",
    title: "Ver e acompanhar",
    answers: [
      {
        id: "publicacao-fechada",
        asked: "Por que não consigo abrir uma publicação?",
        text: "Quem publica escolhe quem vê: todo mundo, quem segue, quem assina, alguns planos, ou quem compra só aquela. O cadeado diz o que falta, e o botão mostra a forma mais barata de entrar.",
        terms: "bloqueada cadeado trancada acesso",
      },
      {
        id: "feed-particular",
        asked: "Posso ouvir o que assino no meu tocador de podcast?",
        text: "Sim. Em Ajustes, Feeds particulares, gere o seu endereço particular e cole no tocador ou leitor. Ele funciona enquanto a assinatura durar. Não passe adiante: quem tem o endereço ouve no seu lugar.",
        terms: "RSS podcast leitor feed",
        link: { to: "/settings/feeds", label: "Abrir os feeds particulares" },
      },
      {
        id: "rss",
        asked: "Posso seguir uma página sem ter conta?",
        text: "Sim, por RSS, Atom ou JSON Feed. Na página de quem cria, em Seguir por RSS, estão os endereços para o seu leitor de notícias ou tocador de podcasts. Do que é só de quem assina, vêm o título e a chamada.",
        terms: "RSS atom feed leitor notícias podcast",
      },
      {
        id: "silenciar",
        asked: "Como paro de ver alguém sem bloquear?",
        text: "Na página da pessoa, abra o menu e silencie. As publicações dela saem do seu início e de Explorar, e ela não fica sabendo.",
        terms: "mutar esconder",
      },
      {
        id: "bloquear",
        asked: "O que acontece quando bloqueio alguém?",
        text: "Cada pessoa deixa de ver a página e as publicações da outra, e de seguir a outra. Ninguém recebe aviso. Enquanto uma das pessoas assina a outra, não dá para bloquear. Você desfaz quando quiser, em Ajustes, Conexões.",
        terms: "bloqueada bloqueado block",
        link: { to: "/settings/connections", label: "Ver quem bloqueei" },
      },
    ],
  },
];

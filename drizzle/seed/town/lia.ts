import { paper } from "#drizzle/seed/pictures/pen.ts";
import { post } from "./shape.ts";
import type { SeedCreator } from "./shape.ts";

export const lia: SeedCreator = {
  username: "lia",
  name: "Lia Mourão",
  fullName: "Lia Mourão de Castro",
  birthDate: "1985-09-21",
  craft: "plantas do Cerrado",
  category: "nature",
  city: "Brasília, DF",
  bio: "Botânica de campo e de lápis na mão. Uma planta do Cerrado por semana, desenhada, nomeada e defendida.",
  face: { ground: paper.cream, shirt: paper.forest, skin: "#C98B63", hair: "#2A1C14", style: "curly", glasses: true },
  plans: [
    { name: "Semente", description: "A planta da semana, em ficha.", benefits: ["Ficha ilustrada toda semana", "Calendário de floração"], prices: [{ interval: "monthly", amountCents: 1200 }], seatsLimit: null, welcomeMessage: "Que bom que você veio. A ficha do baru é um bom começo, e dá para comer." },
    { name: "Herbário", description: "Para desenhar e sair a campo.", benefits: ["Tudo da Semente", "Aulas de ilustração botânica", "Saídas de campo em grupo"], prices: [{ interval: "monthly", amountCents: 3200 }, { interval: "semiannual", amountCents: 17900 }], seatsLimit: 30, welcomeMessage: "Bem-vinda, bem-vindo ao Herbário. A próxima saída está em Eventos; leve chapéu e perneira." },
  ],
  paidCents: 2200,
  sellsAlone: true,
  collections: [
    { title: "Fichas do Cerrado", description: "Nome, lugar, flor e fruto.", size: 6, match: /^Ficha|Baru|Ipê/ },
    { title: "Aulas de prancha", description: "Do grafite à aguada.", size: 4, match: /^Aula|exsicata|olhar/ },
  ],
  event: { title: "Saída de campo: veredas", place: "Parque Nacional de Brasília", inDays: 8, weekday: 0, hour: 7 },
  posts: [
    post("public", "frutos", "Baru, a castanha que espera a seca", "Dipteryx alata. Por que dá fruto quando nada mais dá, e quem vive disso.", "O baru amadurece em agosto e setembro, quando o capim já virou palha. Boi, anta, morcego e gente chegam ao pé na mesma semana.", "A castanha mora dentro de um osso duríssimo. Quem quebra com foice em Pirenópolis tira quatro quilos por dia, numa boa safra.", "Desenhei o fruto inteiro e cortado, na mesma escala. Repare que a semente é uma só."),
    post("subscribers", "ramo", "Ficha 41: copaíba", "Copaifera langsdorffii. O óleo, a folha nova cor de vinho e o tucano.", "A folha jovem nasce avermelhada, como se a árvore tivesse vergonha, e só depois fica verde. É defesa contra lagarta e sol.", "O arilo laranja em volta da semente é um recado para o tucano: coma isto e leve longe."),
    post("plan2", "flor", "Aula: pétala com três camadas", "Vídeo de 35 minutos, do grafite à segunda aguada.", "Antes da cor, conte. Quantas pétalas, quantos estames, onde nasce a sombra. Ilustração errada bonita é só decoração.", "O exercício é uma pétala sozinha, dez vezes, no mesmo papel. A décima costuma respirar."),
    post("public", "cacho", "Quem floresce depois do fogo", "Três dias depois da queimada a Bulbostylis já está branca. Não é milagre, é estratégia.", "Algumas plantas do Cerrado guardam a gema debaixo da terra e usam o fogo como despertador. Florescem sem folha, antes do capim fazer sombra.", "Isso não é licença para incêndio: fogo de agosto, todo ano, mata até quem aprendeu com ele."),
    post("followers", "folhas", "Doze folhas para treinar o olho", "Uma prancha sem nome nenhum. Quantas você reconhece?", "Misturei espécies de mata de galeria e de campo sujo. Pista: três são da mesma família.", "Respondo na quinta. Quem acertar oito ou mais ganha o direito de se exibir."),
    post("early", "flor", "Ipê-amarelo: por que tudo de uma vez", "Para assinantes hoje, aberto na semana que vem, enquanto ainda tem flor no chão.", "Florada em massa satura quem come flor: por mais que os macacos e papagaios comam, sobra para a abelha.", "Dura quatro dias. A árvore passou onze meses juntando açúcar para quatro dias, e a gente reclama da agenda."),
    post("subscribers", "frutos", "Ficha 40: cagaita", "Eugenia dysenterica. O nome avisa; o horário também importa.", "Colhida do pé, de manhã, é uma delícia. Caída e quente de sol, cumpre o que o nome científico promete.", "Floresce toda branca, sem folha, em agosto, e o chão parece Natal de cinema."),
    post("plan2", "folhas", "Como montar uma exsicata em casa", "Jornal, papelão, peso e um rótulo que daqui a cem anos alguém entenda.", "O rótulo vale mais que a planta: data, lugar com coordenada, quem coletou, cor da flor. A flor perde a cor no jornal; a sua letra, não.", "Troque o jornal todos os dias na primeira semana. Bolor é a única coisa que aparece de graça."),
    post("public", null, "Perdemos 11 hectares de vereda", "Fui ao lugar onde desenhei buritis em 2021. Não há mais lugar.", "O GPS me levou até uma cerca. Do outro lado, curva de nível e soja. O olho d’água virou um cano.", "Protocolei a denúncia com as pranchas anexas. Desenho também é documento."),
    post("paid", "cacho", "Guia de bolso: 60 flores do Cerrado", "PDF para imprimir dobrado, cabe no bolso da camisa.", "Sessenta flores por cor, mês e altura, que é como a gente procura no campo. Sem chave de identificação complicada.", "Testado por quatro turmas de oitavo ano, que acharam dois erros. Corrigidos, com crédito."),
    post("subscribers", "cacho", "Ficha 39: canela-de-ema", "Vellozia squamata. Cresce um centímetro por ano e perfuma a chapada.", "Aquela da sua altura tem mais de cem anos. Pense nisso antes de encostar.", "A resina que protege do fogo é a mesma que faz dela boa para acender fogo. Ironias do Cerrado."),
    post("followers", "ramo", "Caderno de campo, sábado", "Chuva às dez, perneira encharcada e um Paepalanthus que eu nunca tinha visto aberto.", "Sete pessoas, duas lupas, um guarda-chuva. O Davi, de onze anos, achou a orquídea antes de todo mundo, porque é mais baixo.", "Desenhei em pé. A linha tremida é da chuva."),
    post("plan2", "ramo", "Aula: nervura não é risco", "Como a folha se sustenta e como o lápis acompanha.", "Nervura é relevo. Se você riscar por cima, a folha vira tecido. Desenhe a sombra dos dois lados e deixe a nervura ser o papel.", "Trouxe quatro folhas de verdade para escanear e praticar."),
    post("public", "flor", "A flor que cheira a nada", "Por que tanta flor vermelha não tem perfume.", "Porque é para beija-flor, que enxerga vermelho muito bem e não sente cheiro quase nenhum. Ninguém paga por propaganda que o cliente não lê.", "As brancas, de noite, fazem o contrário: perfume forte, para mariposa."),
    post("subscribers", "frutos", "Ficha 38: mangaba", "Hancornia speciosa. Fruto que só presta caído.", "Tirado do pé, é puro leite grudento. Caído, é creme. As catadoras sabem o dia pelo som.", "Desenhei o fruto no chão, onde ele é fruto."),
    post("public", "folhas", "Herbário da escola: 200 espécies", "O sexto ano da Ceilândia catalogou o próprio quarteirão.", "Duzentas plantas entre a parada de ônibus e a quadra. Trinta eram novas para a professora e duas para mim.", "O rótulo mais bonito dizia: “mato, mas parece coroa”."),
    post("followers", null, "Perguntas que chegam: posso plantar pequi no quintal?", "Pode. Seus netos agradecem, você talvez.", "O pequi demora oito anos para dar. Precisa de sol, terra pobre e nenhum mimo. Adubar mata.", "Plante três: um para a sede, um para a formiga, um para ficar."),
    post("subscribers", "flor", "Calendário de dezembro", "O que abre, o que cai e a que horas passar.", "Começo do mês: quaresmeirinha e caliandra. Depois do dia 15, as canelas-de-ema se choveu. De madrugada, o pau-santo.", "Baixe o calendário e cole na geladeira."),
    post("public", "ramo", "Nome popular também é ciência", "Carne-de-vaca, bate-caixa, amargoso: o que cada nome sabe que o latim esqueceu.", "Bate-caixa é o som da folha seca no vento. Quem batizou estava ali, ouvindo.", "Anoto todos, com o lugar e o nome de quem me disse. Vão na ficha ao lado do latim, do mesmo tamanho."),
    post("public", "flor", "Por onde começar a olhar", "Primeira prancha no Coreto: a caliandra do canteiro da minha quadra.", "Escolha uma planta que você veja todo dia. Olhe por um mês. Anote quando muda. Pronto, você já faz botânica.", "Uma por semana, eu desenho a minha aqui."),
  ],
};
